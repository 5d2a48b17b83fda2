"""Vector building blocks of the training kernel, written as LLVM IR through numba intrinsics.

Numba's loop vectoriser stops at 256 bits and cannot keep a block of dot products in registers. These few
intrinsics say exactly what to keep there: `LEFTS x RIGHTS` scores at a time, rows read once per block.
LLVM splits the vectors where the machine's registers are narrower, so the code is portable.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["LANE_FLOATS", "RIGHTS", "prefetch_row", "step2", "step4", "tangent2", "tangent4"]

#: Floats in one vector; rows are padded to a multiple of it (64 bytes, one cache line).
LANE_FLOATS = 16
#: Right rows in one block: the positive one and the paper's five negatives.
RIGHTS = 6

_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANE_FLOATS)
_INT = ir.IntType(64)
_INT32 = ir.IntType(32)
_FAST = ("fast",)


def _row_pointers(builder: Any, base: Any, row_bytes: Any, slots: Any, count: int) -> list[Any]:
    """Addresses (as integers) of the rows whose slots are stored at ``slots``."""
    out = []
    pointer = builder.inttoptr(slots, _INT.as_pointer())
    for i in range(count):
        slot = builder.load(builder.gep(pointer, [_INT(i)]))
        out.append(builder.add(base, builder.mul(slot, row_bytes)))
    return out


def _load(builder: Any, address: Any) -> Any:
    value = builder.load(builder.inttoptr(address, _VECTOR.as_pointer()))
    value.align = 4
    return value


def _store(builder: Any, value: Any, address: Any) -> None:
    builder.store(value, builder.inttoptr(address, _VECTOR.as_pointer())).align = 4


def _fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    return builder.fadd(builder.fmul(a, b, flags=_FAST), c, flags=_FAST)


def _shuffle(builder: Any, a: Any, b: Any, indices: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(_INT32, len(indices)), [_INT32(i) for i in indices])
    return builder.shuffle_vector(a, b, mask)


def _sums(builder: Any, vectors: list[Any]) -> Any:
    """One vector whose element i is the sum of ``vectors[i]`` (at most 16 of them): a transposing tree."""
    n = LANE_FLOATS
    bit = 1
    while bit < n:
        merged = []
        for k in range(0, len(vectors), 2):
            a = vectors[k]
            b = vectors[k + 1] if k + 1 < len(vectors) else a
            blend = [i if not i & bit else n + i for i in range(n)]
            cross = [i ^ bit if not i & bit else n + (i ^ bit) for i in range(n)]
            merged.append(builder.fadd(_shuffle(builder, a, b, blend), _shuffle(builder, a, b, cross), flags=_FAST))
        vectors = merged
        bit *= 2
    return vectors[0]


def _constant(values: list[float]) -> Any:
    return ir.Constant(_VECTOR, values)


def _splat(builder: Any, scalar: Any) -> Any:
    kind = ir.VectorType(scalar.type, LANE_FLOATS)
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, scalar, _INT32(0))
    return _shuffle(builder, first, undefined, [0] * LANE_FLOATS)


def _half_tanh(builder: Any, x: Any) -> Any:
    """tanh(x / 2) / 2 by a rational function that is right to the last bits of a float; sigmoid - 1/2."""

    def clamp(value: Any, bound: float, compare: str) -> Any:
        limit = _constant([bound] * LANE_FLOATS)
        return builder.select(builder.fcmp_ordered(compare, value, limit), value, limit)

    x = builder.fmul(x, _constant([0.5] * LANE_FLOATS), flags=_FAST)
    x = clamp(clamp(x, 7.9, "<"), -7.9, ">")
    square = builder.fmul(x, x, flags=_FAST)

    def polynomial(coefficients: list[float]) -> Any:
        value = _constant([coefficients[0]] * LANE_FLOATS)
        for c in coefficients[1:]:
            value = _fma(builder, value, square, _constant([c] * LANE_FLOATS))
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
    half = builder.fmul(x, _constant([0.5] * LANE_FLOATS), flags=_FAST)
    return builder.fdiv(builder.fmul(half, top, flags=_FAST), bottom, flags=_FAST)


def _scores(builder: Any, row_bytes: Any, left_rows: list[Any], right_rows: list[Any]) -> list[Any]:
    """Inner products of all left and right rows: element ``j * lefts + i``, sixteen to a vector."""
    lefts = len(left_rows)
    zero = _constant([0.0] * LANE_FLOATS)
    sums: list[Any] = [cgutils.alloca_once(builder, _VECTOR) for _ in range(lefts * RIGHTS)]  # type: ignore[no-untyped-call]
    for accumulator in sums:
        builder.store(zero, accumulator)
    with cgutils.for_range(builder, builder.udiv(row_bytes, _INT(4 * LANE_FLOATS))) as loop:
        offset = builder.mul(loop.index, _INT(4 * LANE_FLOATS))
        rights = [_load(builder, builder.add(row, offset)) for row in right_rows]
        for i in range(lefts):
            value = _load(builder, builder.add(left_rows[i], offset))
            for j in range(RIGHTS):
                accumulator = sums[j * lefts + i]
                builder.store(_fma(builder, value, rights[j], builder.load(accumulator)), accumulator)
    totals = [builder.load(accumulator) for accumulator in sums]
    totals += [zero] * (-len(totals) % LANE_FLOATS)
    return [_sums(builder, totals[k : k + LANE_FLOATS]) for k in range(0, len(totals), LANE_FLOATS)]


def _move(
    builder: Any,
    row_bytes: Any,
    left_rows: list[Any],
    right_rows: list[Any],
    steps: list[Any],
    radial: tuple[list[Any], list[Any]] | None,
) -> None:
    """Add ``sum_j c[j, i] right_j`` to left i and ``sum_i c[j, i] left_i`` to right j, from the old values.

    The right rows must differ from each other; the left rows may repeat, their changes add up. `radial` holds, for
    each left and right row, the part of its change that lies along the row itself; it is taken off (tangent step).
    """
    lefts = len(left_rows)
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    splats = [
        _shuffle(builder, steps[k // LANE_FLOATS], undefined, [k % LANE_FLOATS] * LANE_FLOATS)
        for k in range(lefts * RIGHTS)
    ]
    with cgutils.for_range(builder, builder.udiv(row_bytes, _INT(4 * LANE_FLOATS))) as loop:
        offset = builder.mul(loop.index, _INT(4 * LANE_FLOATS))
        left_at = [builder.add(row, offset) for row in left_rows]
        old_left = [_load(builder, address) for address in left_at]
        zero = _constant([0.0] * LANE_FLOATS)
        change: list[Any] = [zero] * lefts
        if radial is not None:
            change = [builder.fneg(builder.fmul(radial[0][i], old_left[i], flags=_FAST)) for i in range(lefts)]
        for j in range(RIGHTS):
            at = builder.add(right_rows[j], offset)
            value = _load(builder, at)
            new = value
            if radial is not None:
                new = builder.fsub(value, builder.fmul(radial[1][j], value, flags=_FAST), flags=_FAST)
            for i in range(lefts):
                c = splats[j * lefts + i]
                new = _fma(builder, c, old_left[i], new)
                change[i] = _fma(builder, c, value, change[i])
            _store(builder, new, at)
        for i in range(lefts):
            # read again: a row that stands twice in the block must not lose its first change
            current = _load(builder, left_at[i])
            _store(builder, builder.fadd(current, change[i], flags=_FAST), left_at[i])


def _turned_sum(builder: Any, vector: Any, order: list[int]) -> Any:
    """The vector plus itself in another order."""
    turned = _shuffle(builder, vector, ir.Constant(_VECTOR, ir.Undefined), order)
    return builder.fadd(vector, turned, flags=_FAST)


def _radial(builder: Any, lefts: int, steps: list[Any], scores: list[Any]) -> tuple[list[Any], list[Any]]:
    """Sums of step x score over the rights of each left row and over the lefts of each right row, as splats."""
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    products = [builder.fmul(c, s, flags=_FAST) for c, s in zip(steps, scores, strict=True)]
    by_left = products[0]
    for product in products[1:]:
        by_left = builder.fadd(by_left, product, flags=_FAST)
    span = LANE_FLOATS // 2
    while span >= lefts:
        by_left = _turned_sum(builder, by_left, [(k + span) % LANE_FLOATS for k in range(LANE_FLOATS)])
        span //= 2
    by_right = []
    for product in products:
        bit = 1
        while bit < lefts:
            product = _turned_sum(builder, product, [k ^ bit for k in range(LANE_FLOATS)])
            bit *= 2
        by_right.append(product)

    def splat(vector: Any, element: int) -> Any:
        return _shuffle(builder, vector, undefined, [element] * LANE_FLOATS)

    rights = [splat(by_right[j * lefts // LANE_FLOATS], j * lefts % LANE_FLOATS) for j in range(RIGHTS)]
    return [splat(by_left, i) for i in range(lefts)], rights


def _make_step(lefts: int, tangent: bool) -> Any:
    def step(
        typingctx: Any,
        local: Any,
        row_bytes: Any,
        kappa: Any,
        left: Any,
        n_left: Any,
        right: Any,
        n_right: Any,
        positive: Any,
        rate: Any,
        kappa_rate: Any,
        scores_out: Any,
    ) -> Any:
        """One SGD step of ``lefts`` x 6 rows (appendix A.1), scores and sigmoids kept in registers.

        Row slots are int64 at addresses `left` and `right`; the specificity of slot s is the float at
        ``kappa + 4 s``. Only the first `n_left`, `n_right` rows count. Right row 0 is the positive one if
        `positive` is 1, else there is none. The raw scores go to `scores_out`. With `tangent` the rows are taken to
        be of unit length and every change is projected to the sphere's tangent.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            local, row_bytes, kappa, left, n_left, right, n_right, positive, rate, kappa_rate, scores_out = args
            left_rows = _row_pointers(builder, local, row_bytes, left, lefts)
            right_rows = _row_pointers(builder, local, row_bytes, right, RIGHTS)
            scores = _scores(builder, row_bytes, left_rows, right_rows)

            undefined = ir.Constant(_VECTOR, ir.Undefined)
            slot_at = builder.inttoptr(left, _INT.as_pointer())
            kappa_at = []
            kappas = undefined
            for i in range(lefts):
                slot = builder.load(builder.gep(slot_at, [_INT(i)]))
                address = builder.add(kappa, builder.mul(slot, _INT(4)))
                kappa_at.append(builder.inttoptr(address, _FLOAT.as_pointer()))
                kappas = builder.insert_element(kappas, builder.load(kappa_at[i]), _INT32(i))
            kappas = _shuffle(builder, kappas, undefined, [k % lefts for k in range(LANE_FLOATS)])

            indices = ir.VectorType(_INT32, LANE_FLOATS)
            lefts_used = _splat(builder, builder.trunc(n_left, _INT32))
            rights_used = _splat(builder, builder.trunc(n_right, _INT32))
            has_positive = _splat(builder, builder.sitofp(positive, _FLOAT))
            zero = _constant([0.0] * LANE_FLOATS)
            half = _constant([0.5] * LANE_FLOATS)
            change = zero
            steps = []
            for block, score in enumerate(scores):
                lanes = range(block * LANE_FLOATS, (block + 1) * LANE_FLOATS)
                i_of = ir.Constant(indices, [_INT32(k % lefts) for k in lanes])
                j_of = ir.Constant(indices, [_INT32(k // lefts) for k in lanes])
                counted = builder.and_(
                    builder.icmp_signed("<", i_of, lefts_used), builder.icmp_signed("<", j_of, rights_used)
                )
                target = builder.fmul(_constant([float(k < lefts) for k in lanes]), has_positive, flags=_FAST)
                logit = builder.fmul(kappas, score, flags=_FAST)
                sigmoid = builder.fadd(_half_tanh(builder, logit), half, flags=_FAST)
                residual = builder.select(counted, builder.fsub(target, sigmoid, flags=_FAST), zero)
                pull = builder.fmul(residual, _splat(builder, rate), flags=_FAST)
                steps.append(builder.fmul(pull, kappas, flags=_FAST))
                change = _fma(builder, residual, score, change)
                _store(builder, score, builder.add(scores_out, _INT(4 * LANE_FLOATS * block)))
            span = LANE_FLOATS // 2
            while span >= lefts:  # fold the sixteen products into one sum for each left row
                change = _turned_sum(builder, change, [(k + span) % LANE_FLOATS for k in range(LANE_FLOATS)])
                span //= 2
            radial = _radial(builder, lefts, steps, scores) if tangent else None
            _move(builder, row_bytes, left_rows, right_rows, steps, radial)
            for i in range(lefts):
                moved = builder.fmul(builder.extract_element(change, _INT32(i)), kappa_rate, flags=_FAST)
                new = builder.fadd(builder.load(kappa_at[i]), moved, flags=_FAST)
                positive_new = builder.fcmp_ordered(">", new, _FLOAT(0.0))
                builder.store(builder.select(positive_new, new, _FLOAT(0.0)), kappa_at[i])
            return context.get_dummy_value()

        integers = [types.intp] * 8
        return types.void(*integers, types.float32, types.float32, types.intp), codegen

    return intrinsic(step)


step2, step4 = _make_step(2, tangent=False), _make_step(4, tangent=False)
tangent2, tangent4 = _make_step(2, tangent=True), _make_step(4, tangent=True)


def _prefetch_row(typingctx: Any, address: Any, row_bytes: Any) -> Any:
    """Ask for a row's cache lines ahead of its use."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, row_bytes = args
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), _INT32, _INT32, _INT32])
        function: Any = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        lines = builder.udiv(row_bytes, _INT(64))
        with cgutils.for_range(builder, lines) as loop:
            at = builder.add(address, builder.mul(loop.index, _INT(64)))
            pointer = builder.inttoptr(at, ir.IntType(8).as_pointer())
            builder.call(function, [pointer, _INT32(0), _INT32(3), _INT32(1)])
        return context.get_dummy_value()

    return types.void(types.intp, types.intp), codegen


prefetch_row: Any = intrinsic(_prefetch_row)
