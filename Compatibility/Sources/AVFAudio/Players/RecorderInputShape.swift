// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The rate and the channels that a recorder asks its input for.
package struct RecorderInputShape: Hashable, Sendable {
  /// The rate.
  package let rate: SampleRate
  /// The number of channels.
  package let channelCount: Int
}
