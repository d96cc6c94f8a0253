// SPDX-License-Identifier: Apache-2.0

/// The gains of the left and the right channel.
struct StereoGains: BitwiseCopyable, Sendable {
  var left: Float = 1
  var right: Float = 1
}
