// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Synchronization

/// The levels of a player or recorder, as Apple's classes return them.
///
/// - Note: Any thread.
final class PowerMeter: Sendable {
  private let channelCount: Int
  private let state = Mutex(State())

  private struct State {
    var isEnabled = false
    var levels: (left: Level, right: Level)?
  }

  /// Creates a meter that is disabled.
  ///
  /// - Parameter channelCount: The number of channels.
  init(channelCount: Int) {
    self.channelCount = channelCount
  }

  /// True if `update` stores levels; a change forgets them.
  var isEnabled: Bool {
    get { state.withLock(\.isEnabled) }
    set { state.withLock { $0 = State(isEnabled: newValue, levels: nil) } }
  }

  /// Stores the present levels, if the meter is enabled.
  ///
  /// - Parameter levels: The levels; nil without a measurement.
  func update(_ levels: (left: Level, right: Level)?) {
    state.withLock { if $0.isEnabled { $0.levels = levels } }
  }

  /// Forgets the levels.
  func clear() { state.withLock { $0.levels = nil } }

  /// The peak level in dB of full scale, at least −160.
  ///
  /// - Parameter channel: 0 for left, 1 for right.
  /// - Returns: The level.
  func peak(_ channel: Int) -> Float { decibels(level(channel)?.peak) }

  /// The average level in dB of full scale, at least −160.
  ///
  /// - Parameter channel: 0 for left, 1 for right.
  /// - Returns: The level.
  func average(_ channel: Int) -> Float { decibels(level(channel)?.rms) }

  private func level(_ channel: Int) -> Level? {
    guard channel == 0 || channel == 1 && channelCount > 1 else { return nil }
    return state.withLock { channel == 0 ? $0.levels?.left : $0.levels?.right }
  }

  private func decibels(_ factor: Float?) -> Float {
    guard let factor, factor > 0 else { return -160 }
    return max(-160, Level.decibels(factor))
  }
}
