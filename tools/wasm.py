"""The compiled search for a page: guesstree/course/search.wasm, from the kernels of guesstree.engine.

    pip install ziglang && npm install --prefix FOLDER binaryen
    python tools/wasm.py FOLDER

Numba's LLVM code is taken for a plain processor, aimed at WebAssembly with 64-bit addresses (llvmlite), linked with a small runtime (zig),
and brought down to 32-bit addresses (binaryen), which every browser has. Nothing is compiled when the page is read.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="+sse2", NUMBA_CACHE_DIR=tempfile.mkdtemp())   # cached code cannot be read

import numba  # noqa: E402
import numpy as np  # noqa: E402
from llvmlite import binding as llvm  # noqa: E402
from numba import carray, njit, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

from guesstree.engine import depth3, search  # noqa: E402
from guesstree.engine.layout import BIG, SUMS, new_cache, new_state  # noqa: E402

TOOLS = Path(__file__).resolve().parent
TARGET = TOOLS.parent / "guesstree" / "course" / "search.wasm"
TRIPLE = "wasm64-unknown-unknown"
FEATURES = "simd128", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-fptoint"
ALSO = {"simd128": "simd", "nontrapping-fptoint": "nontrapping-float-to-int"}   # binaryen's names
KERNELS = {"bits": depth3._depth3_bits, "tables": depth3._depth3_tables, "counts": depth3._depth2_counts}


@intrinsic
def _pointer(typingctx, address, kind):
    pointer = types.CPointer(kind.dtype)
    return pointer(types.int64, kind), lambda ctx, builder, sig, args: builder.inttoptr(args[0], ctx.get_value_type(pointer))


def example():
    "A problem and scratch memory of the types that a page uses: sums of 32 bits."
    codes = np.array([[0, 1, 0], [1, 0, 0], [1, 1, 1]])
    pb, wk = depth3.make_problem(codes, np.array([2, 2, 2]), np.array([[1, 0], [2, 1], [0, 1]]), 1, 2)
    narrow = wk.tab.dtype
    return pb._replace(delta=pb.delta.astype(np.int32)), type(wk)(*(x.astype(np.int32) if x.dtype == narrow else x for x in wk))


def entry(pb, wk):
    """Python source of what the page calls: `p` is the address of a list of 64-bit numbers, for each array its address and shape, then what
    `_search`, `_open` or `_try` need besides; results are written after them."""
    arrays = [*zip(pb._fields, pb, strict=True), *((f"w_{n}", x) for n, x in zip(wk._fields, wk, strict=True))]
    fields = [(n, x.dtype.name, x.ndim) for n, x in arrays] + [(n, "int64", d) for n, d in (("rows", 1), ("table", 2), ("head", 1), ("state", 1), ("space", 2))]
    lines, at = [], 0
    for name, kind, ndim in fields:
        shape = "".join(f"a[{at + 1 + i}], " for i in range(ndim))
        lines.append(f"{name} = carray(_pointer(a[{at}], {kind}), ({shape}))")
        at += 1 + ndim
    problem = ", ".join(pb._fields), ", ".join(f"w_{n}" for n in wk._fields)
    body = "\n    ".join(["a = carray(_pointer(p, int64), (256,))", *lines, f"o = a[{at}:]", "calls = (o[0], o[1], o[2], o[3])",
                          f"pb, wk = Problem({problem[0]}), Work({problem[1]})", "work = (wk, table, head, state)"])
    return fields, f"""def entry(p):
    {body}
    if o[4] == 0: o[9], o[10] = _search(calls, pb, rows, o[5], o[6], o[7], o[8], *work)
    elif o[4] == 1: o[9], o[10], o[11], o[12] = _open(calls, pb, rows, o[5], o[6], o[7], o[8], *work, space)
    else: o[10] = _try(calls, pb, rows, o[5], o[6], o[7], o[11], o[8], *work, space)[0]
    return 0
"""


def parts():
    "{name: (LLVM code, name of the function)} of the entry and of what is called by address; and the fields of the entry."
    pb, wk = example()
    fields, source = entry(pb, wk)
    known = dict(carray=carray, _pointer=_pointer, Problem=depth3.Problem, Work=depth3.Work, _search=search._search, _open=search._open, _try=search._try,
                 **{t: getattr(types, t) for t in ("int32", "int64", "uint64")})
    exec(source, known)
    options = dict(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
    made = njit("int64(int64)", **options)(known["entry"])
    rows, state, space = np.arange(3), new_state(), np.empty((SUMS + pb.stat.shape[1], 3), np.int64)
    node, work, none = (pb, rows, 0, 0, 0), (wk, *new_cache(16, 16), state), (0, 0, 0, 0)
    calls = {name: (kernel, (pb, rows, 3, int(BIG), wk, rows, state)) for name, kernel in KERNELS.items()}
    calls |= {"open": (search._open, (none, *node, 0, *work, space)), "try": (search._try, (none, *node, 0, 0, *work, space)),
              "search": (search._search, (none, *node, 0, *work))}
    code = {"entry": next(iter(made.overloads.values()))}
    for name, (kernel, args) in calls.items():
        kinds = tuple(numba.typeof(x) for x in args)
        kernel.compile(kinds)
        code[name] = kernel.overloads[kinds]
    return {name: (o.library.get_llvm_str(), o.fndesc.llvm_func_name) for name, o in code.items()}, fields


def aimed(code, layout):
    "The same code for the other processor; reference counts are the runtime's, not the processor's."
    code = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', code, flags=re.M)
    code = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', code, flags=re.M)
    for f in ("NRT_incref", "NRT_decref"):
        code = re.sub(rf"^define [^\n]*@{f}\(ptr[^)]*\)[^{{]*\{{.*?^\}}$", f"declare void @{f}(ptr)", code, flags=re.M | re.S)
    code = re.sub(r"\bcommon (local_unnamed_addr )?global", r"linkonce_odr \1global", code)
    return re.sub(r'"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"', "", code)


def doors(code):
    "What the page calls: `run`, and the address of each function that is called by address."
    lines = []
    for name, (_, function) in code.items():
        if name == "entry":
            lines += [f'declare i32 @"{function}"(ptr, ptr, i64)', "define i64 @run(i64 %p) {", "  %r = alloca i64", "  %e = alloca ptr",
                      f'  %s = call i32 @"{function}"(ptr %r, ptr %e, i64 %p)', "  %w = sext i32 %s to i64", "  ret i64 %w", "}"]
        else:
            lines += [f'declare i32 @"{function}"(ptr, ptr)', f'define i64 @at_{name}() {{ ret i64 ptrtoint (ptr @"{function}" to i64) }}']
    return "\n".join(lines)


def object_code(code):
    "All parts as one object file for WebAssembly, without what nobody calls."
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=",".join(f"+{f}" for f in FEATURES), reloc="static")
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    module = llvm.parse_assembly(head + doors(code))
    keep = {f.name for f in module.functions if not f.is_declaration}
    for text, _ in code.values():
        module.link_in(llvm.parse_assembly(aimed(text, machine.target_data)))
    for o in [*module.functions, *module.global_variables]:
        if not o.is_declaration and o.name not in keep:
            o.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2)))
    module.verify()
    return machine.emit_object(module), sorted(keep)


def build(npm):
    code, fields = parts()
    made, names = object_code(code)
    with tempfile.TemporaryDirectory() as folder:
        work, zig = Path(folder), [sys.executable, "-m", "ziglang"]
        (work / "search.o").write_bytes(made)
        subprocess.run([*zig, "cc", "-target", "wasm64-freestanding", "-O2", "-mcpu=generic+simd128+bulk_memory", "-c", TOOLS / "wasm_runtime.c", "-o", work / "runtime.o"], check=True)
        subprocess.run([*zig, "wasm-ld", "-mwasm64", "--no-entry", *(f"--export={n}" for n in [*names, "grab"]), "--gc-sections", "--strip-all",
                        "--initial-memory=16777216", "--max-memory=4294901760", "-z", "stack-size=4194304", work / "search.o", work / "runtime.o", "-o", work / "wide.wasm"], check=True)
        flags = [f"--enable-{ALSO.get(f, f)}" for f in (*FEATURES, "memory64", "multivalue", "reference-types")]
        subprocess.run([Path(npm) / "node_modules/.bin/wasm-opt", work / "wide.wasm", *flags, "--memory64-lowering", "--table64-lowering", "-O2", "-o", TARGET], check=True)
    print(f"{TARGET.relative_to(TOOLS.parent)}: {TARGET.stat().st_size:,} bytes")
    print("arrays of the entry:", fields)


if __name__ == "__main__":
    build(sys.argv[1])
