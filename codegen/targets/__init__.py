"""EMIT: Edition → Renderings. One module or package per target; none opens Jinja or disk, none interprets schemas."""
