// SPDX-License-Identifier: Apache-2.0
// What the products named as Apple's modules hold on Apple's systems, which have these modules.
