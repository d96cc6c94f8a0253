// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension AudioPlayer {
  /// The gain as a linear factor, 0…16; 1 by default.
  ///
  /// Other values are clamped, and NaN becomes 0.
  public var gain: Float {
    get { state.withLock(\.gain) }
    set {
      state.withLock { state in
        state.gain = newValue.isNaN ? 0 : min(16, max(0, newValue))
        sendGains(&state)
      }
    }
  }

  /// The pan, −1 (left) to 1 (right); 0 by default.
  ///
  /// Other values are clamped, and NaN becomes 0.
  public var pan: Float {
    get { state.withLock(\.pan) }
    set {
      state.withLock { state in
        state.pan = newValue.isNaN ? 0 : min(1, max(-1, newValue))
        sendGains(&state)
      }
    }
  }

  /// The speed as a factor, ¼…4, which also changes the pitch; 1 by default.
  ///
  /// Other values are clamped, and NaN becomes 1.
  public var speed: Float {
    get { state.withLock(\.speed) }
    set {
      state.withLock { state in
        let fastest = StreamFeed.fastest
        state.speed = newValue.isNaN ? 1 : min(fastest, max(1 / fastest, newValue))
        _ = send(.rate(state.speed), &state)
      }
    }
  }

  /// Changes the gain linearly over a time, or immediately if the player is paused.
  ///
  /// - Parameters:
  ///   - gain: The new gain, a linear factor, 0…16.
  ///   - seconds: The duration of the change in seconds, 0.005…3600.
  public func setGain(_ gain: Float, over seconds: Double) {
    state.withLock { state in
      state.gain = gain.isNaN ? 0 : min(16, max(0, gain))
      sendGains(seconds: seconds.isNaN ? 0.005 : max(0.005, seconds), &state)
    }
  }
}
