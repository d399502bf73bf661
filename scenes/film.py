"""All steps in one film, a chapter a step, joined from their clips without drawing them again."""

from attn.texts.film import texts as texts

PARTS = "steps"  # see attn.build.assets: the films that go on from one another, in their order
