// SPDX-License-Identifier: Apache-2.0

/// Two factors.
struct StereoGains: BitwiseCopyable, Sendable {
  var left: Float = 1
  var right: Float = 1
}
