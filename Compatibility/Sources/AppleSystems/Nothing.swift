// SPDX-License-Identifier: Apache-2.0
// An empty module: on Apple's systems, the products with the names of Apple's modules contain only
// this, because the systems have these modules.
