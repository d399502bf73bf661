"""What figures and films share: camera, colours, text in runs, fonts, where labels go. Draws nothing."""
