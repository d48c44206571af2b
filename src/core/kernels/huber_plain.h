// SPDX-License-Identifier: Apache-2.0
// Float64 kernels of the renewable Huber regression that do not depend on the model's dtype.
#ifndef NC_KERNELS_HUBER_PLAIN_H
#define NC_KERNELS_HUBER_PLAIN_H

#include "huber_loss.h"

// scores[i] = w psi(r), curvatures[i] = w kappa(r).
NC_KERNEL6(huber_scores, NC_GLOBAL const nc_f64 *, residuals, NC_GLOBAL const nc_f64 *, weights, nc_huber_loss, loss,
           NC_GLOBAL nc_f64 *, scores, NC_GLOBAL nc_f64 *, curvatures, nc_u64, rows)
{
    NC_FOR_ITEMS(i, rows)
    {
        nc_f64 r = residuals[i];
        nc_f64 w = weights[i];
        nc_f64 score = w * nc_huber_psi(r, loss.tau);
        nc_f64 curvature = w * nc_huber_kappa(r, loss.tau, loss.bandwidth);
        scores[i] = nc_canon_f64(score);
        curvatures[i] = nc_canon_f64(curvature);
    }
}

// curvatures[i] = w psi(r) / r, the curvature of the quadratic that touches rho at r and lies above it: positive for every row, so
// it says something where kappa is 0 for all of them.
NC_KERNEL5(huber_majorants, NC_GLOBAL const nc_f64 *, residuals, NC_GLOBAL const nc_f64 *, weights, nc_huber_loss, loss,
           NC_GLOBAL nc_f64 *, curvatures, nc_u64, rows)
{
    NC_FOR_ITEMS(i, rows)
    {
        nc_f64 magnitude = NC_FABS_F64(residuals[i]);
        nc_f64 curvature = magnitude <= loss.tau ? weights[i] : weights[i] * (loss.tau / magnitude);
        curvatures[i] = nc_canon_f64(curvature);
    }
}

// The power of two nearest below 1 / sqrt(diagonal): exact, and brings the diagonal into [1, 4). 1 for a diagonal that has none.
NC_FN nc_f64 nc_huber_equilibrant(nc_f64 diagonal)
{
    nc_i32 field = (nc_i32)(nc_bits_of_f64(diagonal) >> 52);
    if (!(diagonal > NC_C64(0.0)) || field == 0 || field == 0x7ff) {
        return NC_C64(1.0);
    }
    return nc_pow2_f64(511 - (field - 1) / 2);
}

// scales[j]: the equilibrant of (G_jj + J_jj) / N + ridge.
NC_KERNEL6(huber_scales, NC_GLOBAL const nc_f64 *, gram, NC_GLOBAL const nc_f64 *, information, nc_f64, total_weight, nc_f64, ridge,
           NC_GLOBAL nc_f64 *, scales, nc_i64, coefficients)
{
    NC_FOR_ITEMS(j, (nc_u64)coefficients)
    {
        nc_u64 place = j * (nc_u64)coefficients + j;
        nc_f64 diagonal = (gram[place] + information[place]) / total_weight + ridge;
        scales[j] = nc_huber_equilibrant(diagonal);
    }
}

// system[i,j] = s_i ((G + J) / N + ridge I)_ij s_j; the ridge is added after the division. One item for each entry.
NC_KERNEL8(huber_system, NC_GLOBAL const nc_f64 *, gram, NC_GLOBAL const nc_f64 *, information, nc_f64, total_weight, nc_f64, ridge,
           NC_GLOBAL const nc_f64 *, scales, NC_GLOBAL nc_f64 *, system, nc_i64, coefficients, nc_i64, equilibrated)
{
    nc_u64 q = (nc_u64)coefficients;
    NC_FOR_ITEMS(item, q * q)
    {
        nc_u64 i = item / q;
        nc_u64 j = item % q;
        nc_f64 value = (gram[item] + information[item]) / total_weight;
        value = i == j ? value + ridge : value;
        value = equilibrated ? scales[i] * value * scales[j] : value;
        system[item] = nc_canon_f64(value);
    }
}

// out[j] = s_j v[j].
NC_KERNEL4(huber_rescale, NC_GLOBAL const nc_f64 *, v, NC_GLOBAL const nc_f64 *, scales, NC_GLOBAL nc_f64 *, out, nc_i64,
           coefficients)
{
    NC_FOR_ITEMS(j, (nc_u64)coefficients)
    {
        nc_f64 value = scales[j] * v[j];
        out[j] = nc_canon_f64(value);
    }
}

// ratio[0] = smallest over largest |f_jj|^power of a factor's diagonal: power 2 for Cholesky, 1 for LU.
NC_KERNEL4(huber_pivot_ratio, NC_GLOBAL const nc_f64 *, factor, nc_i64, coefficients, nc_i64, power, NC_GLOBAL nc_f64 *, ratio)
{
    NC_FOR_ITEMS(item, (nc_u64)1)
    {
        nc_f64 smallest = NC_FABS_F64(factor[0]);
        nc_f64 largest = smallest;
        for (nc_i64 j = 1; j < coefficients; ++j) {
            nc_f64 pivot = NC_FABS_F64(factor[j * coefficients + j]);
            smallest = pivot < smallest ? pivot : smallest;
            largest = pivot > largest ? pivot : largest;
        }
        nc_f64 value = largest > NC_C64(0.0) ? smallest / largest : NC_C64(0.0);
        value = power == 2 ? value * value : value;
        ratio[item] = nc_canon_f64(value);
    }
}

// trace[0] = sum of (G_jj + J_jj) / N: an upper bound of the largest eigenvalue.
NC_KERNEL5(huber_trace, NC_GLOBAL const nc_f64 *, gram, NC_GLOBAL const nc_f64 *, information, nc_f64, total_weight, nc_i64,
           coefficients, NC_GLOBAL nc_f64 *, trace)
{
    NC_FOR_ITEMS(item, (nc_u64)1)
    {
        nc_f64 sum = NC_C64(0.0);
        for (nc_i64 j = 0; j < coefficients; ++j) {
            sum = sum + (gram[j * coefficients + j] + information[j * coefficients + j]);
        }
        sum = sum / total_weight;
        trace[item] = nc_canon_f64(sum);
    }
}

// flags[j] = 1 when column j is exactly zero or exactly proportional to an earlier column: equality in the Cauchy-Schwarz
// inequality a_ij^2 = a_ii a_jj, decided without rounding by comparing both products with their fma remainders.
NC_KERNEL4(huber_collinear, NC_GLOBAL const nc_f64 *, gram, NC_GLOBAL const nc_f64 *, information, NC_GLOBAL nc_f64 *, flags,
           nc_i64, coefficients)
{
    NC_FOR_ITEMS(item, (nc_u64)coefficients)
    {
        nc_i64 j = (nc_i64)item;
        nc_i64 q = coefficients;
        nc_f64 jj = gram[j * q + j] + information[j * q + j];
        nc_f64 flag = jj == NC_C64(0.0) ? NC_C64(1.0) : NC_C64(0.0);
        for (nc_i64 i = 0; i < j; ++i) {
            nc_f64 ii = gram[i * q + i] + information[i * q + i];
            nc_f64 ij = gram[i * q + j] + information[i * q + j];
            nc_f64 square = ij * ij;
            nc_f64 product = ii * jj;
            nc_f64 square_rest = NC_FMA_F64(ij, ij, -square);
            nc_f64 product_rest = NC_FMA_F64(ii, jj, -product);
            if (square > NC_C64(0.0) && square == product && square_rest == product_rest) {
                flag = NC_C64(1.0);
            }
        }
        flags[j] = flag;
    }
}

#endif
