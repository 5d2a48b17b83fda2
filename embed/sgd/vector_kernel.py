"""Vector building blocks of the training kernel, written as LLVM IR through numba intrinsics.

Numba's loop vectoriser stops at 256 bits and cannot keep a block of dot products in registers. These intrinsics
state exactly what stays there: `LEFTS x RIGHTS` scores at a time, rows read once per block. LLVM splits the
vectors where the machine's registers are narrower, so the code is portable.

`tests/embed/sgd/plain_step.py` is the same step in plain NumPy; a test compares this kernel with it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from embed.sgd.vector_parts_kernel import (
    FAST,
    FLOAT,
    INT,
    INT32,
    LANE_FLOATS,
    VECTOR,
    constant,
    half_tanh,
    lane_sums,
    load_vector,
    multiply_add,
    permuted_sum,
    row_pointers,
    shuffle,
    splat,
    store_vector,
)

__all__ = ["LANE_FLOATS", "RIGHTS", "prefetch_row", "step2", "step4", "tangent2", "tangent4"]

#: Right rows in one block: the positive one and the paper's five negatives.
RIGHTS = 6


def _scores(builder: Any, row_bytes: Any, left_rows: list[Any], right_rows: list[Any]) -> list[Any]:
    """Compute the inner products of all left and right rows: element ``j * lefts + i``, sixteen to a vector."""
    lefts = len(left_rows)
    zero = constant([0.0] * LANE_FLOATS)
    sums: list[Any] = [cgutils.alloca_once(builder, VECTOR) for _ in range(lefts * RIGHTS)]  # type: ignore[no-untyped-call]
    for accumulator in sums:
        builder.store(zero, accumulator)
    with cgutils.for_range(builder, builder.udiv(row_bytes, INT(4 * LANE_FLOATS))) as loop:
        offset = builder.mul(loop.index, INT(4 * LANE_FLOATS))
        rights = [load_vector(builder, builder.add(row, offset)) for row in right_rows]
        for i in range(lefts):
            value = load_vector(builder, builder.add(left_rows[i], offset))
            for j in range(RIGHTS):
                accumulator = sums[j * lefts + i]
                builder.store(multiply_add(builder, value, rights[j], builder.load(accumulator)), accumulator)
    totals = [builder.load(accumulator) for accumulator in sums]
    totals += [zero] * (-len(totals) % LANE_FLOATS)
    return [lane_sums(builder, totals[k : k + LANE_FLOATS]) for k in range(0, len(totals), LANE_FLOATS)]


def _move(
    builder: Any,
    row_bytes: Any,
    left_rows: list[Any],
    right_rows: list[Any],
    steps: list[Any],
    radial: tuple[list[Any], list[Any]] | None,
) -> None:
    """Add ``sum_j c[j, i] right_j`` to left i and ``sum_i c[j, i] left_i`` to right j, from the old values.

    The right rows must be distinct; the left rows may repeat, their changes add up. `radial` holds, for each left and
    right row, the component of its change along the row itself, which is subtracted (tangent step).
    """
    lefts = len(left_rows)
    undefined = ir.Constant(VECTOR, ir.Undefined)
    splats = [
        shuffle(builder, steps[k // LANE_FLOATS], undefined, [k % LANE_FLOATS] * LANE_FLOATS)
        for k in range(lefts * RIGHTS)
    ]
    with cgutils.for_range(builder, builder.udiv(row_bytes, INT(4 * LANE_FLOATS))) as loop:
        offset = builder.mul(loop.index, INT(4 * LANE_FLOATS))
        left_at = [builder.add(row, offset) for row in left_rows]
        old_left = [load_vector(builder, address) for address in left_at]
        zero = constant([0.0] * LANE_FLOATS)
        change: list[Any] = [zero] * lefts
        if radial is not None:
            change = [builder.fneg(builder.fmul(radial[0][i], old_left[i], flags=FAST)) for i in range(lefts)]
        for j in range(RIGHTS):
            at = builder.add(right_rows[j], offset)
            value = load_vector(builder, at)
            new = value
            if radial is not None:
                new = builder.fsub(value, builder.fmul(radial[1][j], value, flags=FAST), flags=FAST)
            for i in range(lefts):
                c = splats[j * lefts + i]
                new = multiply_add(builder, c, old_left[i], new)
                change[i] = multiply_add(builder, c, value, change[i])
            store_vector(builder, new, at)
        for i in range(lefts):
            # read again: a row that occurs twice in the block must not lose its first change
            current = load_vector(builder, left_at[i])
            store_vector(builder, builder.fadd(current, change[i], flags=FAST), left_at[i])


def _radial(builder: Any, lefts: int, steps: list[Any], scores: list[Any]) -> tuple[list[Any], list[Any]]:
    """Sum step x score over the rights of each left row and over the lefts of each right row, as splats."""
    undefined = ir.Constant(VECTOR, ir.Undefined)
    products = [builder.fmul(c, s, flags=FAST) for c, s in zip(steps, scores, strict=True)]
    by_left = products[0]
    for product in products[1:]:
        by_left = builder.fadd(by_left, product, flags=FAST)
    span = LANE_FLOATS // 2
    while span >= lefts:
        by_left = permuted_sum(builder, by_left, [(k + span) % LANE_FLOATS for k in range(LANE_FLOATS)])
        span //= 2
    by_right = []
    for product in products:
        bit = 1
        while bit < lefts:
            product = permuted_sum(builder, product, [k ^ bit for k in range(LANE_FLOATS)])
            bit *= 2
        by_right.append(product)

    def spread(vector: Any, element: int) -> Any:
        return shuffle(builder, vector, undefined, [element] * LANE_FLOATS)

    rights = [spread(by_right[j * lefts // LANE_FLOATS], j * lefts % LANE_FLOATS) for j in range(RIGHTS)]
    return [spread(by_left, i) for i in range(lefts)], rights


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
        """Do one SGD step of ``lefts`` x 6 rows (appendix A.1), with scores and sigmoids in registers.

        Row slots are int64 at addresses `left` and `right`; the specificity of slot s is the float at
        ``kappa + 4 s``. Only the first `n_left`, `n_right` rows count. Right row 0 is the positive one if
        `positive` is 1, else there is none. The raw scores go to `scores_out`. With `tangent`, rows are assumed to have
        unit length and every change is projected onto the sphere's tangent space.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            local, row_bytes, kappa, left, n_left, right, n_right, positive, rate, kappa_rate, scores_out = args
            left_rows = row_pointers(builder, local, row_bytes, left, lefts)
            right_rows = row_pointers(builder, local, row_bytes, right, RIGHTS)
            scores = _scores(builder, row_bytes, left_rows, right_rows)

            undefined = ir.Constant(VECTOR, ir.Undefined)
            slot_at = builder.inttoptr(left, INT.as_pointer())
            kappa_at = []
            kappas = undefined
            for i in range(lefts):
                slot = builder.load(builder.gep(slot_at, [INT(i)]))
                address = builder.add(kappa, builder.mul(slot, INT(4)))
                kappa_at.append(builder.inttoptr(address, FLOAT.as_pointer()))
                kappas = builder.insert_element(kappas, builder.load(kappa_at[i]), INT32(i))
            kappas = shuffle(builder, kappas, undefined, [k % lefts for k in range(LANE_FLOATS)])

            indices = ir.VectorType(INT32, LANE_FLOATS)
            lefts_used = splat(builder, builder.trunc(n_left, INT32))
            rights_used = splat(builder, builder.trunc(n_right, INT32))
            has_positive = splat(builder, builder.sitofp(positive, FLOAT))
            zero = constant([0.0] * LANE_FLOATS)
            half = constant([0.5] * LANE_FLOATS)
            change = zero
            steps = []
            for block, score in enumerate(scores):
                lanes = range(block * LANE_FLOATS, (block + 1) * LANE_FLOATS)
                i_of = ir.Constant(indices, [INT32(k % lefts) for k in lanes])
                j_of = ir.Constant(indices, [INT32(k // lefts) for k in lanes])
                counted = builder.and_(
                    builder.icmp_signed("<", i_of, lefts_used), builder.icmp_signed("<", j_of, rights_used)
                )
                target = builder.fmul(constant([float(k < lefts) for k in lanes]), has_positive, flags=FAST)
                logit = builder.fmul(kappas, score, flags=FAST)
                sigmoid = builder.fadd(half_tanh(builder, logit), half, flags=FAST)
                residual = builder.select(counted, builder.fsub(target, sigmoid, flags=FAST), zero)
                pull = builder.fmul(residual, splat(builder, rate), flags=FAST)
                steps.append(builder.fmul(pull, kappas, flags=FAST))
                change = multiply_add(builder, residual, score, change)
                store_vector(builder, score, builder.add(scores_out, INT(4 * LANE_FLOATS * block)))
            span = LANE_FLOATS // 2
            while span >= lefts:  # reduce the sixteen products to one sum for each left row
                change = permuted_sum(builder, change, [(k + span) % LANE_FLOATS for k in range(LANE_FLOATS)])
                span //= 2
            radial = _radial(builder, lefts, steps, scores) if tangent else None
            _move(builder, row_bytes, left_rows, right_rows, steps, radial)
            for i in range(lefts):
                moved = builder.fmul(builder.extract_element(change, INT32(i)), kappa_rate, flags=FAST)
                new = builder.fadd(builder.load(kappa_at[i]), moved, flags=FAST)
                positive_new = builder.fcmp_ordered(">", new, FLOAT(0.0))
                builder.store(builder.select(positive_new, new, FLOAT(0.0)), kappa_at[i])
            return context.get_dummy_value()

        integers = [types.intp] * 8
        return types.void(*integers, types.float32, types.float32, types.intp), codegen

    return intrinsic(step)


step2, step4 = _make_step(2, tangent=False), _make_step(4, tangent=False)
tangent2, tangent4 = _make_step(2, tangent=True), _make_step(4, tangent=True)


def _prefetch_row(typingctx: Any, address: Any, row_bytes: Any) -> Any:
    """Prefetch a row's cache lines."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, row_bytes = args
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), INT32, INT32, INT32])
        function: Any = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        lines = builder.udiv(row_bytes, INT(64))
        with cgutils.for_range(builder, lines) as loop:
            at = builder.add(address, builder.mul(loop.index, INT(64)))
            pointer = builder.inttoptr(at, ir.IntType(8).as_pointer())
            builder.call(function, [pointer, INT32(0), INT32(3), INT32(1)])
        return context.get_dummy_value()

    return types.void(types.intp, types.intp), codegen


prefetch_row: Any = intrinsic(_prefetch_row)
