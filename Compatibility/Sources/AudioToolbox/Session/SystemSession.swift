// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import Dispatch
internal import MusicalTime
internal import Synchronization

/// The audio session of this process: its settings, and the state of the device.
///
/// - Note: Any thread.
package final class SystemSession: Sendable {
  /// The session.
  package static let shared = SystemSession()

  /// A change that programs are notified of.
  package enum Change: Hashable, Sendable {
    /// The device was disconnected; playback waits for it.
    case deviceLost
    /// The device is back; playback continues.
    case deviceReturned
    /// The category, its mode or its options were changed.
    case categoryChanged
    /// The output was overridden.
    case overridden
  }

  /// The values that a program sets.
  package struct Settings: Hashable, Sendable {
    /// The category, by Apple's constant; solo ambient by default.
    package var category = "AVAudioSessionCategorySoloAmbient"
    /// The mode, by Apple's constant.
    package var mode = "AVAudioSessionModeDefault"
    /// The bits of the category's options.
    package var options: UInt = 0
    /// The number of the policy for routes.
    package var policy: UInt = 0
    /// True if the session is active.
    package var isActive = false
    /// The preferred rate in hertz; 0 for any.
    package var rate = 0.0
    /// The preferred seconds of sound in a period; 0 for any.
    package var bufferSeconds = 0.0
    /// The preferred number of output channels; 0 for any.
    package var outputChannels = 0
    /// The preferred number of input channels; 0 for any.
    package var inputChannels = 0
    /// The factor for the input's level, 0…1.
    package var inputGain: Float = 1
    /// The ALSA device to record from; nil for the default device.
    package var inputDevice: String?
    /// True if the program has muted its input.
    package var isInputMuted = false
  }

  private struct State {
    var settings = Settings()
    var listeners: [Int: @Sendable (Change) -> Void] = [:]
    var nextListener = 0
    var outputs: [WeakOutput] = []
    var isAway = false
    /// True if an output was away at the last check.
    var wasAway = false
    var timer: (any DispatchSourceTimer)?
  }

  private struct WeakOutput: @unchecked Sendable {
    // Unchecked: the properties of an output that are read here may be read on any thread.
    weak var unit: (any OutputUnit)?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "audio session")
  /// The time between two checks of the outputs.
  private static let period = DispatchTimeInterval.milliseconds(100)

  private init() {}

  /// The settings.
  package var settings: Settings { state.withLock { $0.settings } }

  /// Changes the settings.
  ///
  /// - Parameter change: The change.
  package func set(_ change: (inout Settings) -> Void) {
    let (old, new) = state.withLock { state in
      let old = state.settings
      change(&state.settings)
      return (old, state.settings)
    }
    let isSame =
      old.category == new.category && old.mode == new.mode && old.options == new.options
      && old.policy == new.policy
    if !isSame { post(.categoryChanged) }
  }

  /// Adds a listener, which is called on a serial queue.
  ///
  /// - Parameter listener: The listener.
  /// - Returns: A number for `removeListener`.
  package func addListener(_ listener: @escaping @Sendable (Change) -> Void) -> Int {
    state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = listener
      return state.nextListener
    }
  }

  /// Removes a listener.
  ///
  /// - Parameter number: The result of `addListener`.
  package func removeListener(_ number: Int) {
    state.withLock { state in state.listeners[number] = nil }
  }

  /// Sends a change to the listeners.
  ///
  /// - Parameter change: The change.
  package func post(_ change: Change) {
    queue.async { [self] in
      for listener in state.withLock({ $0.listeners.sorted { $0.key < $1.key } }) {
        listener.value(change)
      }
    }
  }

  /// Waits until the listeners have received all changes so far; listeners must not call this.
  package func waitForListeners() { queue.sync {} }

  // MARK: The device

  /// True if the device is disconnected.
  package var isAway: Bool { state.withLock { $0.isAway } }

  /// Stores the state of the device, and sends a change to the listeners.
  ///
  /// - Parameter isAway: True while the device is disconnected.
  package func setAway(_ isAway: Bool) {
    let isNew = state.withLock { state in
      defer { state.isAway = isAway }
      return state.isAway != isAway
    }
    if isNew { post(isAway ? .deviceLost : .deviceReturned) }
  }

  /// Watches the device of an output until the output is freed.
  ///
  /// - Parameter output: The output.
  package func watch(_ output: any OutputUnit) {
    nonisolated(unsafe) let output = output
    state.withLock { state in
      unsafe state.outputs.append(WeakOutput(unit: output))
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + Self.period, repeating: Self.period)
      timer.setEventHandler { [weak self] in self?.look() }
      timer.activate()
      state.timer = timer
    }
  }

  /// Compares the state of the outputs with the previous one; ends the timer when all outputs are
  /// freed.
  private func look() {
    let change = state.withLock { state -> Bool? in
      state.outputs.removeAll { $0.unit == nil }
      if state.outputs.isEmpty {
        state.timer?.cancel()
        state.timer = nil
      }
      let isAway = state.outputs.contains { $0.unit?.isAway ?? false }
      defer { state.wasAway = isAway }
      return isAway == state.wasAway ? nil : isAway
    }
    if let change { setAway(change) }
  }

  /// The rate of the running output in hertz, or the rate with which the next output is opened.
  package var rate: Double { running.map { Double($0.format.rate.hertz) } ?? nextRate }

  /// The rate for the next output in hertz: the preferred rate if it can be played, or 48,000.
  package var nextRate: Double {
    let rate = settings.rate.rounded()
    return (8_000...192_000).contains(rate) ? rate : 48_000
  }

  /// The frames of a period for the next output, 64…4096; 256 by default.
  package var nextPeriodFrames: Int {
    let seconds = settings.bufferSeconds
    guard seconds > 0 else { return 256 }
    let quanta = (min(seconds, 1) * nextRate / Double(AudioFormat.quantum)).rounded()
    return min(4096, max(AudioFormat.quantum, Int(quanta) * AudioFormat.quantum))
  }

  /// The seconds of a period.
  package var bufferSeconds: Double {
    running.map { Double($0.periodFrames) / Double($0.format.rate.hertz) }
      ?? Double(nextPeriodFrames) / nextRate
  }

  /// The seconds from a frame's rendering until it is audible; 0 without an output.
  package var latency: Double {
    running.map { Double($0.latency) / Double($0.format.rate.hertz) } ?? 0
  }

  private var running: (any OutputUnit)? {
    nonisolated(unsafe) var found: (any OutputUnit)?
    state.withLock { state in
      for output in state.outputs where unsafe found == nil { unsafe found = output.unit }
    }
    return unsafe found
  }
}
