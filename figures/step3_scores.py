"""x"""
from attn.story import step4_softmax as texts
from figures import _parts
from figures._space import AttentionSpace
def draw(trace):
    step = _parts.step_page(trace, texts(trace), "3-D word embedding space", "2-D attention space")
    s = AttentionSpace(step.page, step.right, trace)
    for i in range(trace.n):
        s.draw("keys", i); s.draw("values", i); s.draw("queries",i)
    s.finish()
    return step.page.figure
