// SPDX-License-Identifier: Apache-2.0
// Kernels of the renewable Huber regression that read data or coefficients. Body: include once per real type. Work
// arrays X (rows x q, row-major), y, weights are contiguous.
#include "huber_loss.h"

// Copies a batch into the work arrays, appends the column of ones where the caller has p columns, and marks each row that has a
// non-finite value or a negative weight: bad[i] = i for such a row, else the number of rows.
NC_KERNEL8(NC_N(huber_expand), NC_GLOBAL const NC_REAL *, x, NC_GLOBAL const NC_REAL *, y, NC_GLOBAL const NC_REAL *, weights,
           nc_huber_rows, shape, NC_GLOBAL NC_REAL *, design, NC_GLOBAL NC_REAL *, response, NC_GLOBAL nc_f64 *, frequency,
           NC_GLOBAL nc_f64 *, bad)
{
    NC_FOR_ITEMS(item, (nc_u64)shape.rows)
    {
        nc_i64 i = (nc_i64)item;
        nc_i32 finite = 1;
        for (nc_i64 j = 0; j < shape.coefficients; ++j) {
            NC_REAL value = NC_C(1.0);
            if (j < shape.columns) {
                value = x[shape.x.offset + i * shape.x.stride[0] + j * shape.x.stride[1]];
            }
            finite = finite && NC_N(nc_is_finite)(value);
            design[i * shape.coefficients + j] = NC_CANON(value);
        }
        NC_REAL target = y[shape.y.offset + i * shape.y.stride[0]];
        nc_f64 weight = NC_C64(1.0);
        if (shape.has_weights) {
            NC_REAL given = weights[shape.weights.offset + i * shape.weights.stride[0]];
            finite = finite && NC_N(nc_is_finite)(given) && given >= NC_C(0.0);
            weight = (nc_f64)given;
        }
        finite = finite && NC_N(nc_is_finite)(target);
        response[i] = NC_CANON(target);
        frequency[i] = nc_canon_f64(weight);
        bad[i] = finite ? (nc_f64)shape.rows : (nc_f64)i;
    }
}

// y - x beta as if in twice float64's precision (Ogita, Rump, Oishi 2005, Dot2), rounded once: the residual of a good fit is the
// small rest of a large cancellation, and its digits bound those of the coefficients.
NC_FN nc_f64 NC_N(nc_huber_residual)(NC_REAL y, NC_GLOBAL const NC_REAL *row, NC_GLOBAL const NC_REAL *beta, nc_i64 coefficients)
{
    nc_f64 sum = (nc_f64)y;
    nc_f64 rest = NC_C64(0.0);
    for (nc_i64 j = 0; j < coefficients; ++j) {
        nc_f64 left = -(nc_f64)row[j];
        nc_f64 right = (nc_f64)beta[j];
        nc_f64 product = left * right;
        nc_f64 product_rest = NC_FMA_F64(left, right, -product);
        nc_f64 next = sum + product;
        nc_f64 moved = next - sum;
        rest = rest + (((sum - (next - moved)) + (product - moved)) + product_rest);
        sum = next;
    }
    return sum + rest;
}

// For each candidate c and row i: residuals[c*rows + i] = y - x beta_c and terms[c*rows + i] = w rho(residual). A row of weight 0
// has term +0 whatever its residual.
NC_KERNEL8(NC_N(huber_residuals), NC_GLOBAL const NC_REAL *, design, NC_GLOBAL const NC_REAL *, response, NC_GLOBAL const nc_f64 *,
           weights, NC_GLOBAL const NC_REAL *, candidates, nc_huber_pass, pass, nc_huber_loss, loss, NC_GLOBAL nc_f64 *, residuals,
           NC_GLOBAL nc_f64 *, terms)
{
    NC_FOR_ITEMS(item, (nc_u64)(pass.rows * pass.candidates))
    {
        nc_i64 i = (nc_i64)item % pass.rows;
        nc_i64 c = (nc_i64)item / pass.rows;
        nc_f64 r = NC_N(nc_huber_residual)(response[i], design + i * pass.coefficients, candidates + c * pass.coefficients,
                                           pass.coefficients);
        nc_f64 term = weights[i] == NC_C64(0.0) ? NC_C64(0.0) : weights[i] * nc_huber_rho(r, loss.tau);
        residuals[item] = nc_canon_f64(r);
        terms[item] = nc_canon_f64(term);
    }
}

// out[i] = x[i,:] beta, with 1 for the intercept when x has p columns: one fma chain in column order from +0.
// shape.y is the layout of out.
NC_KERNEL4(NC_N(huber_predict), NC_GLOBAL const NC_REAL *, x, NC_GLOBAL const NC_REAL *, beta, nc_huber_rows, shape,
           NC_GLOBAL NC_REAL *, out)
{
    NC_FOR_ITEMS(item, (nc_u64)shape.rows)
    {
        nc_i64 i = (nc_i64)item;
        NC_REAL sum = NC_C(0.0);
        for (nc_i64 j = 0; j < shape.coefficients; ++j) {
            NC_REAL value = NC_C(1.0);
            if (j < shape.columns) {
                value = x[shape.x.offset + i * shape.x.stride[0] + j * shape.x.stride[1]];
            }
            sum = NC_FMA(value, beta[j], sum);
        }
        out[shape.y.offset + i * shape.y.stride[0]] = NC_CANON(sum);
    }
}

// gradient[j] = (J_j (beta - beta0) - S_j) / N - c sign(beta0_j), S = X' w psi(r). One item for each coefficient.
NC_KERNEL6(NC_N(huber_gradient), NC_GLOBAL const nc_f64 *, scores, NC_GLOBAL const nc_f64 *, information, NC_GLOBAL const NC_REAL *,
           beta, NC_GLOBAL const NC_REAL *, beta0, nc_huber_scale, scale, NC_GLOBAL nc_f64 *, gradient)
{
    NC_FOR_ITEMS(item, (nc_u64)scale.coefficients)
    {
        nc_i64 j = (nc_i64)item;
        nc_f64 pull = NC_C64(0.0);
        for (nc_i64 l = 0; l < scale.coefficients; ++l) {
            nc_f64 moved = (nc_f64)beta[l] - (nc_f64)beta0[l];
            pull = NC_FMA_F64(information[j * scale.coefficients + l], moved, pull);
        }
        nc_f64 value = (pull - scores[j]) / scale.total_weight;
        if (j < scale.penalised && beta0[j] > NC_C(0.0)) {
            value = value - scale.sign_weight;
        }
        if (j < scale.penalised && beta0[j] < NC_C(0.0)) {
            value = value + scale.sign_weight;
        }
        gradient[j] = nc_canon_f64(value);
    }
}

// Candidate c = beta - t 2^-c d, rounded to the dtype. One item for each candidate and coefficient.
NC_KERNEL5(NC_N(huber_newton_try), NC_GLOBAL const NC_REAL *, beta, NC_GLOBAL const nc_f64 *, direction, nc_huber_scale, scale,
           NC_GLOBAL NC_REAL *, candidates, nc_u64, count)
{
    NC_FOR_ITEMS(item, count)
    {
        nc_i64 j = (nc_i64)item % scale.coefficients;
        nc_i32 c = (nc_i32)((nc_i64)item / scale.coefficients);
        nc_f64 step = nc_scale_f64(scale.step, -c);
        NC_REAL value = (NC_REAL)NC_FMA_F64(-step, direction[j], (nc_f64)beta[j]);
        candidates[item] = NC_CANON(value);
    }
}

// Candidate c = soft threshold of beta - g / phi at lambda / phi with phi = step 2^c; the intercept is not shrunk. A zero is +0.
NC_KERNEL5(NC_N(huber_l1_try), NC_GLOBAL const NC_REAL *, beta, NC_GLOBAL const nc_f64 *, gradient, nc_huber_scale, scale,
           NC_GLOBAL NC_REAL *, candidates, nc_u64, count)
{
    NC_FOR_ITEMS(item, count)
    {
        nc_i64 j = (nc_i64)item % scale.coefficients;
        nc_i32 c = (nc_i32)((nc_i64)item / scale.coefficients);
        nc_f64 phi = nc_scale_f64(scale.step, c);
        nc_f64 z = (nc_f64)beta[j] - gradient[j] / phi;
        if (j < scale.penalised) {
            nc_f64 kept = NC_FABS_F64(z) - scale.threshold / phi;
            z = kept > NC_C64(0.0) ? NC_COPYSIGN_F64(kept, z) : NC_C64(0.0);
        }
        NC_REAL value = (NC_REAL)z;
        candidates[item] = NC_CANON(value);
    }
}

// partial[c*q + j] = E_j (J E)_j with E = candidate - beta0: the quadratic form's rows. One item for each candidate and row.
NC_KERNEL6(NC_N(huber_quadratic), NC_GLOBAL const nc_f64 *, information, NC_GLOBAL const NC_REAL *, candidates,
           NC_GLOBAL const NC_REAL *, beta0, nc_i64, coefficients, NC_GLOBAL nc_f64 *, partial, nc_u64, count)
{
    NC_FOR_ITEMS(item, count)
    {
        nc_i64 j = (nc_i64)item % coefficients;
        nc_i64 base = (nc_i64)item - j;
        nc_f64 sum = NC_C64(0.0);
        for (nc_i64 l = 0; l < coefficients; ++l) {
            nc_f64 moved = (nc_f64)candidates[base + l] - (nc_f64)beta0[l];
            sum = NC_FMA_F64(information[j * coefficients + l], moved, sum);
        }
        nc_f64 value = ((nc_f64)candidates[item] - (nc_f64)beta0[j]) * sum;
        partial[item] = nc_canon_f64(value);
    }
}

// The scalars of each candidate. losses[c] is its sum of w rho(r); one item for each candidate.
NC_KERNEL8(NC_N(huber_surrogate), NC_GLOBAL const nc_f64 *, losses, NC_GLOBAL const nc_f64 *, partial, NC_GLOBAL const NC_REAL *,
           candidates, NC_GLOBAL const NC_REAL *, beta, NC_GLOBAL const NC_REAL *, beta0, NC_GLOBAL const nc_f64 *, gradient,
           nc_huber_scale, scale, NC_GLOBAL nc_f64 *, scalars)
{
    NC_FOR_ITEMS(item, (nc_u64)scale.candidates)
    {
        nc_i64 base = (nc_i64)item * scale.coefficients;
        nc_f64 quadratic = NC_C64(0.0);
        nc_f64 sign_sum = NC_C64(0.0);
        nc_f64 step2 = NC_C64(0.0);
        nc_f64 beta2 = NC_C64(0.0);
        nc_f64 slope = NC_C64(0.0);
        nc_f64 absolute = NC_C64(0.0);
        for (nc_i64 j = 0; j < scale.coefficients; ++j) {
            nc_f64 candidate = (nc_f64)candidates[base + j];
            nc_f64 step = candidate - (nc_f64)beta[j];
            nc_f64 moved = candidate - (nc_f64)beta0[j];
            quadratic = quadratic + partial[base + j];
            step2 = NC_FMA_F64(step, step, step2);
            beta2 = NC_FMA_F64(candidate, candidate, beta2);
            slope = NC_FMA_F64(gradient[j], step, slope);
            if (j < scale.penalised) {
                absolute = absolute + NC_FABS_F64(candidate);
                sign_sum = sign_sum + (beta0[j] > NC_C(0.0) ? moved : (beta0[j] < NC_C(0.0) ? -moved : NC_C64(0.0)));
            }
        }
        nc_f64 objective = NC_FMA_F64(NC_C64(0.5), quadratic, losses[item]) / scale.total_weight;
        nc_f64 size = NC_FMA_F64(scale.sign_weight, NC_FABS_F64(sign_sum), NC_FABS_F64(objective));
        objective = NC_FMA_F64(-scale.sign_weight, sign_sum, objective);
        NC_GLOBAL nc_f64 *out = scalars + item * NC_HUBER_SCALARS;
        out[NC_HUBER_OBJECTIVE] = nc_canon_f64(objective);
        out[NC_HUBER_STEP2] = nc_canon_f64(step2);
        out[NC_HUBER_BETA2] = nc_canon_f64(beta2);
        out[NC_HUBER_SLOPE] = nc_canon_f64(slope);
        out[NC_HUBER_ABS] = nc_canon_f64(absolute);
        out[NC_HUBER_SIZE] = nc_canon_f64(size);
    }
}
