// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The audio session of this process.
///
/// Settings that Linux does not have are stored and returned. Notifications are posted when the device
/// is disconnected and when it is back.
///
/// - Note: Any thread.
open class AVAudioSession: NSObject, @unchecked Sendable {
  // Unchecked: all state is that of `SystemSession`.

  private static let shared = AVAudioSession(())
  let system = SystemSession.shared

  private init(_: Void) {
    super.init()
    _ = system.addListener { [weak self] in self?.notify($0) }
  }

  /// Returns the session.
  open class func sharedInstance() -> AVAudioSession { shared }

  // MARK: Category

  /// The category.
  open var category: Category { Category(rawValue: system.settings.category) }
  /// The mode.
  open var mode: Mode { Mode(rawValue: system.settings.mode) }
  /// The options of the category.
  open var categoryOptions: CategoryOptions {
    CategoryOptions(rawValue: system.settings.options)
  }
  /// The rule for sharing routes.
  open var routeSharingPolicy: RouteSharingPolicy {
    RouteSharingPolicy(rawValue: system.settings.policy) ?? .default
  }
  /// All categories.
  open var availableCategories: [Category] {
    [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
  }
  /// All modes.
  open var availableModes: [Mode] {
    [
      .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat,
      .spokenAudio, .voicePrompt,
    ]
  }

  /// Sets the category, with the default mode and without options.
  ///
  /// - Parameter category: The category.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  open func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, policy: .default, options: [])
  }

  /// Sets the category, with the default mode.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - options: Options.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try setCategory(category, mode: .default, policy: .default, options: options)
  }

  /// Sets the category.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - options: Options.
  /// - Throws: `ErrorCode.badParam` for an unknown category or mode.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    try setCategory(category, mode: mode, policy: .default, options: options)
  }

  /// Sets the category.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - policy: The rule for sharing routes.
  ///   - options: Options.
  /// - Throws: `ErrorCode.badParam` for an unknown category or mode.
  open func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    let isKnown = availableCategories.contains(category) || category == .audioProcessing
    guard isKnown, availableModes.contains(mode) else { throw Self.error(.badParam) }
    system.set { settings in
      settings.category = category.rawValue
      settings.mode = mode.rawValue
      settings.policy = policy.rawValue
      settings.options = options.rawValue
    }
  }

  /// Sets the mode.
  ///
  /// - Parameter mode: The mode.
  /// - Throws: `ErrorCode.badParam` for an unknown mode.
  open func setMode(_ mode: Mode) throws {
    guard availableModes.contains(mode) else { throw Self.error(.badParam) }
    system.set { $0.mode = mode.rawValue }
  }

  /// Makes the session active or inactive; players and recorders are not affected.
  ///
  /// - Parameters:
  ///   - active: True for active.
  ///   - options: Without effect.
  /// - Throws: Nothing.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    system.set { $0.isActive = active }
  }

  /// Overrides the output; the route does not change, since ALSA's configuration chooses the device.
  ///
  /// - Parameter portOverride: The override.
  /// - Throws: Nothing.
  open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    system.post(.overridden)
  }

  // MARK: Permission

  /// `granted`: Linux does not ask.
  open var recordPermission: RecordPermission { .granted }

  /// Calls a block with true: Linux does not ask.
  ///
  /// - Parameter response: The block, called on a queue.
  open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.global().async { response(true) }
  }
}
