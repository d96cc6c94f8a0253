// SPDX-License-Identifier: Apache-2.0
// Nothing to call: linked in, it tells the thread sanitizer of Swift's mutexes.
