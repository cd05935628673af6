"""API pages from the exported modules. Autodoc and numpydoc show the docstrings of public names, which have sections; for all other
names a page says what the source says: signature, sentence, a table of parameters from the comments beside them.
"""
import ast
import re
from pathlib import Path
from typing import NamedTuple


class Symbol(NamedTuple):
    "One exported name."
    module: str        # without "guesstree.", such as "engine.search"
    name: str
    node: ast.AST      # its definition
    cell: str | None   # id of the notebook cell that defines it
    page: str | None   # notebook without suffix, with its folder, such as "engine/12_search"


def anchor(symbol):
    "Where the entry stands; anchors know no capitals, so `Sandwich` and `sandwich` need different words."
    kind = {ast.ClassDef: "class-", ast.FunctionDef: ""}.get(type(symbol.node), "value-")
    return f"api-{kind}{symbol.module}-{symbol.name}".lower().replace("_", "-").replace(".", "-")


def module_of(path):
    "The name of a module without \"guesstree.\"; a folder's own is that of the folder."
    parts = path.with_suffix("").parts
    inside = parts[len(parts) - parts[::-1].index("guesstree"):]
    return ".".join(o for o in inside if o != "__init__") or "__init__"


def exported(path):
    "The `Symbol`s in `__all__` of the module at `path`, in the order of its notebook."
    text = path.read_text(encoding="utf-8")
    body = ast.parse(text).body
    names = next((ast.literal_eval(o.value) for o in body if isinstance(o, ast.Assign) and getattr(o.targets[0], "id", "") == "__all__"), [])
    cells = [(text[:m.start()].count("\n") + 1, *m.groups()) for m in re.finditer(r"^# %% (?:\.\./)+nbs/(\S+)\.ipynb #(\S+)", text, re.M)]
    found = {}
    for node in body:
        targets = [t for o in getattr(node, "targets", []) for t in getattr(o, "elts", [o])] if isinstance(node, ast.Assign) else []
        for name in [getattr(node, "name", None), *(getattr(t, "id", None) for t in targets)]:
            if name in names and name not in found:
                page, cell = next(((p, c) for line, p, c in reversed(cells) if line <= node.lineno), (None, None))
                found[name] = Symbol(module_of(path), name, node, cell, page)
    return sorted(found.values(), key=lambda o: o.node.lineno)


def comment(lines, node):
    "The comment at the end of the line on which `node` ends."
    rest = lines[node.end_lineno - 1].encode()[node.end_col_offset:].decode()
    found = re.search(r"#\s*(.*)", rest)
    return found.group(1).strip() if found else ""


def _cell(text):
    "Text that is safe inside a cell of a Markdown table."
    return text.replace("|", r"\|").replace("<", "&lt;") if "$" not in text else text.replace("|", r"\|")


def _parameters(node, lines):
    "Rows (name, annotation, default, comment) of a function, and its returned (annotation, comment)."
    a = node.args
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    every = [("", o, d) for o, d in zip(positional, defaults)] + ([("*", a.vararg, None)] if a.vararg else [])
    every += [("", o, d) for o, d in zip(a.kwonlyargs, a.kw_defaults)] + ([("**", a.kwarg, None)] if a.kwarg else [])
    rows = [(star + o.arg, _type(o.annotation), _code(d), comment(lines, d or o)) for star, o, d in every if o.arg != "self"]
    last = node.returns or (every[-1][1] if every else node)
    back = comment(lines, last) if node.returns else ""
    return rows, (_type(node.returns), back)


def _code(node):
    return "" if node is None else ast.unparse(node)


def _type(node):
    "An annotation; names of classes that come later are written as strings."
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else _code(node)


def _fields(node, lines):
    "Rows of the annotated fields of a class."
    return [(o.target.id, _type(o.annotation), _code(o.value), comment(lines, o)) for o in node.body if isinstance(o, ast.AnnAssign)]


def _table(rows):
    if not any(any(row[1:]) for row in rows):
        return ""
    out = ["| | type | default | |", "| --- | --- | --- | --- |"]
    return "\n".join(out + [f"| `{n}` | {_tick(t)} | {_tick(d)} | {_cell(c)} |" for n, t, d, c in rows]) + "\n"


def _tick(code):
    return f"`{code}`".replace("|", r"\|") if code else ""


def _signature(name, rows, back):
    parts, back = [n + (f"={d}" if d else "") for n, _, d, _ in rows], f" -> {back}" if back else ""
    line = f"{name}({', '.join(parts)}){back}"
    if len(line) > 96:
        line = f"{name}(\n" + "".join(f"    {o},\n" for o in parts) + f"){back}"
    return f"```python\n{line}\n```\n"


def _function(name, node, lines, doc):
    rows, (back, comment) = _parameters(node, lines)
    out = [_signature(name, rows, back), doc, _table(rows)]
    if comment:
        out.append(f"Returns {f'`{back}`: ' if back else ''}{_cell(comment)}\n")
    return out


def _class(symbol, lines):
    "Parameters of `__init__` if there is one, else the fields; then attributes and methods."
    node, methods = symbol.node, [o for o in symbol.node.body if isinstance(o, ast.FunctionDef)]
    doc = (ast.get_docstring(node) or "") + "\n"
    init = next((o for o in methods if o.name == "__init__"), None)
    rows = _fields(node, lines)
    given = _parameters(init, lines)[0] if init else rows
    out = [_signature(symbol.name, given if init else [r[:2] + ("", "") for r in rows], ""), doc, _table(given)]
    if init and rows:
        out += ["Attributes:\n", _table(rows)]
    for o in methods:
        if not o.name.startswith("_") and ast.get_docstring(o):
            inside = ", ".join(n + (f"={d}" if d else "") for n, _, d, _ in _parameters(o, lines)[0])
            is_property = any(getattr(d, "id", "") in ("property", "cached_property") for d in o.decorator_list)
            out.append(f"`.{o.name}{'' if is_property else f'({inside})'}`\n: {ast.get_docstring(o)}\n")
    return out


def _has_sections(node):
    "Is its docstring in numpydoc's form?"
    return isinstance(node, (ast.FunctionDef, ast.ClassDef)) and bool(re.search(r"^(Parameters|Attributes)\n---", ast.get_docstring(node) or "", re.M))


def _autodoc(symbol):
    "Directive for Sphinx; of a class, with the methods that have a sentence."
    is_class = isinstance(symbol.node, ast.ClassDef)
    methods = [o.name for o in symbol.node.body if isinstance(o, ast.FunctionDef) and o.name[0] != "_" and ast.get_docstring(o)] if is_class else []
    members = [f"   :members: {', '.join(methods)}"] if methods else []
    return "\n".join(["```{eval-rst}", f".. auto{'class' if is_class else 'function'}:: guesstree.{symbol.module}.{symbol.name}", *members, "```", ""])


def entry(symbol, lines, where):
    "The Markdown entry of one symbol; `where` is a link to the section that teaches it."
    out = [f"({anchor(symbol)})=\n## {symbol.name}\n"]
    if _has_sections(symbol.node):
        out.append(_autodoc(symbol))
    elif isinstance(symbol.node, ast.FunctionDef):
        out += _function(symbol.name, symbol.node, lines, (ast.get_docstring(symbol.node) or "") + "\n")
    elif isinstance(symbol.node, ast.ClassDef):
        out += _class(symbol, lines)
    else:
        value = ast.unparse(symbol.node)
        out += [f"```python\n{value if len(value) < 400 else value[:400] + ' ...'}\n```\n", comment(lines, symbol.node) + "\n"]
    return "\n".join(o for o in [*out, where] if o) + "\n"


def pages(package:Path, section_of):
    "{module: Markdown text} and all symbols; `section_of(symbol)` gives a link to where a symbol is taught."
    made, symbols = {}, []
    for path in sorted(package.rglob("*.py"), key=lambda p: (len(p.parts), p)):
        found = exported(path)
        if path.stem.startswith("_") and not found:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        entries = "\n".join(entry(o, lines, section_of(o)) for o in found)
        made[module_of(path)] = f"# guesstree.{module_of(path)}\n\n{doc}\n\n{entries}"
        symbols += found
    return made, symbols
