// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension AudioPlayer {
  /// A linear factor, 0…16.
  public var gain: Float {
    get { state.withLock(\.gain) }
    set {
      state.withLock { state in
        state.gain = newValue.isNaN ? 0 : min(16, max(0, newValue))
        sendGains(&state)
      }
    }
  }

  /// The position between left (−1) and right (1).
  public var pan: Float {
    get { state.withLock(\.pan) }
    set {
      state.withLock { state in
        state.pan = newValue.isNaN ? 0 : min(1, max(-1, newValue))
        sendGains(&state)
      }
    }
  }

  /// The speed as a factor, ¼…4; the pitch changes with it.
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

  /// Changes the gain evenly over a time; while the player is paused, at once.
  ///
  /// - Parameters:
  ///   - gain: A linear factor, 0…16.
  ///   - seconds: The time, 0…3600 s; at least 5 ms.
  public func setGain(_ gain: Float, over seconds: Double) {
    state.withLock { state in
      state.gain = gain.isNaN ? 0 : min(16, max(0, gain))
      sendGains(seconds: seconds.isNaN ? 0.005 : max(0.005, seconds), &state)
    }
  }
}
