// SPDX-License-Identifier: Apache-2.0
// The content of the products with names of Apple's modules on Apple's systems, which have these
// modules.
