// SPDX-License-Identifier: Apache-2.0
// The header contains all functions; only Swift reads it, because its compiler finds Core
// Foundation.
