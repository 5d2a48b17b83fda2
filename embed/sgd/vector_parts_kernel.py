"""Sixteen floats at a time: the small pieces of LLVM IR that `vector_kernel` combines."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

#: Floats in one vector; rows are padded to a multiple of it (64 bytes, one cache line).
LANE_FLOATS = 16
FLOAT = ir.FloatType()
VECTOR = ir.VectorType(FLOAT, LANE_FLOATS)
INT = ir.IntType(64)
INT32 = ir.IntType(32)
FAST = ("fast",)


def row_pointers(builder: Any, base: Any, row_bytes: Any, slots: Any, count: int) -> list[Any]:
    """Compute the addresses (as integers) of the rows whose slots are stored at ``slots``."""
    out = []
    pointer = builder.inttoptr(slots, INT.as_pointer())
    for i in range(count):
        slot = builder.load(builder.gep(pointer, [INT(i)]))
        out.append(builder.add(base, builder.mul(slot, row_bytes)))
    return out


def load_vector(builder: Any, address: Any) -> Any:
    """Read a vector; rows are only aligned to single floats."""
    value = builder.load(builder.inttoptr(address, VECTOR.as_pointer()))
    value.align = 4
    return value


def store_vector(builder: Any, value: Any, address: Any) -> None:
    """Write a vector."""
    builder.store(value, builder.inttoptr(address, VECTOR.as_pointer())).align = 4


def multiply_add(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """Compute a · b + c; LLVM may fuse the two."""
    return builder.fadd(builder.fmul(a, b, flags=FAST), c, flags=FAST)


def shuffle(builder: Any, a: Any, b: Any, indices: list[int]) -> Any:
    """Pick elements of two vectors; those of the second are numbered after those of the first."""
    mask = ir.Constant(ir.VectorType(INT32, len(indices)), [INT32(i) for i in indices])
    return builder.shuffle_vector(a, b, mask)


def lane_sums(builder: Any, vectors: list[Any]) -> Any:
    """Return one vector whose element i is the sum of ``vectors[i]`` (at most 16 of them): a transposing tree."""
    n = LANE_FLOATS
    bit = 1
    while bit < n:
        merged = []
        for k in range(0, len(vectors), 2):
            a = vectors[k]
            b = vectors[k + 1] if k + 1 < len(vectors) else a
            blend = [i if not i & bit else n + i for i in range(n)]
            cross = [i ^ bit if not i & bit else n + (i ^ bit) for i in range(n)]
            merged.append(builder.fadd(shuffle(builder, a, b, blend), shuffle(builder, a, b, cross), flags=FAST))
        vectors = merged
        bit *= 2
    return vectors[0]


def constant(values: list[float]) -> Any:
    """Make a constant vector."""
    return ir.Constant(VECTOR, values)


def splat(builder: Any, scalar: Any) -> Any:
    """Repeat a number in all elements."""
    kind = ir.VectorType(scalar.type, LANE_FLOATS)
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, scalar, INT32(0))
    return shuffle(builder, first, undefined, [0] * LANE_FLOATS)


def half_tanh(builder: Any, x: Any) -> Any:
    """Compute tanh(x / 2) / 2, that is sigmoid - 1/2, by a rational function exact to the last bits of a float."""

    def clamp(value: Any, bound: float, compare: str) -> Any:
        limit = constant([bound] * LANE_FLOATS)
        return builder.select(builder.fcmp_ordered(compare, value, limit), value, limit)

    x = builder.fmul(x, constant([0.5] * LANE_FLOATS), flags=FAST)
    x = clamp(clamp(x, 7.9, "<"), -7.9, ">")
    square = builder.fmul(x, x, flags=FAST)

    def polynomial(coefficients: list[float]) -> Any:
        value = constant([coefficients[0]] * LANE_FLOATS)
        for c in coefficients[1:]:
            value = multiply_add(builder, value, square, constant([c] * LANE_FLOATS))
        return value

    top = polynomial(
        [
            -2.76076847742355e-16,
            2.00018790482477e-13,
            -8.60467152213735e-11,
            5.12229709037114e-08,
            1.48572235717979e-05,
            6.37261928875436e-04,
            4.89352455891786e-03,
        ]
    )
    bottom = polynomial([1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03])
    half = builder.fmul(x, constant([0.5] * LANE_FLOATS), flags=FAST)
    return builder.fdiv(builder.fmul(half, top, flags=FAST), bottom, flags=FAST)


def permuted_sum(builder: Any, vector: Any, order: list[int]) -> Any:
    """Return the vector plus a permutation of itself."""
    shuffled = shuffle(builder, vector, ir.Constant(VECTOR, ir.Undefined), order)
    return builder.fadd(vector, shuffled, flags=FAST)
