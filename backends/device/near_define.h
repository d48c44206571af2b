// SPDX-License-Identifier: Apache-2.0
// The first part of a device program whose tiles keep their working memory near (dialect.h).
#define NC_NEAR
