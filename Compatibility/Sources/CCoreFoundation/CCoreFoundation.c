// SPDX-License-Identifier: Apache-2.0
// All of it is in the header, which only Swift reads: its compiler finds Core Foundation.
