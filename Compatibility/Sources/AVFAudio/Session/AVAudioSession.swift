// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The audio session of this process.
///
/// Settings that do not exist on Linux are stored and returned, but not used. Notifications
/// are posted when the output device is disconnected and when it is connected again.
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

  /// Returns the audio session of this process.
  open class func sharedInstance() -> AVAudioSession { shared }

  // MARK: Category

  /// The current category; `soloAmbient` by default.
  open var category: Category { Category(rawValue: system.settings.category) }
  /// The current mode; `default` by default.
  open var mode: Mode { Mode(rawValue: system.settings.mode) }
  /// The options of the current category.
  open var categoryOptions: CategoryOptions {
    CategoryOptions(rawValue: system.settings.options)
  }
  /// The current policy for sharing routes.
  open var routeSharingPolicy: RouteSharingPolicy {
    RouteSharingPolicy(rawValue: system.settings.policy) ?? .default
  }
  /// The categories that can be set; `audioProcessing` can also be set, but is not listed.
  open var availableCategories: [Category] {
    [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
  }
  /// The modes that can be set.
  open var availableModes: [Mode] {
    [
      .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat,
      .spokenAudio, .voicePrompt,
    ]
  }

  /// Sets the category, the default mode and no options.
  ///
  /// - Parameter category: The category.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  open func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, policy: .default, options: [])
  }

  /// Sets the category and its options, with the default mode.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - options: The options of the category.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try setCategory(category, mode: .default, policy: .default, options: options)
  }

  /// Sets the category, its mode and its options.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - options: The options of the category.
  /// - Throws: `ErrorCode.badParam` for an unknown category or mode.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    try setCategory(category, mode: mode, policy: .default, options: options)
  }

  /// Sets the category, its mode, its options and the policy for sharing routes.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - policy: The policy for sharing routes.
  ///   - options: The options of the category.
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

  /// Activates or deactivates the session.
  ///
  /// Players and recorders are not affected.
  ///
  /// - Parameters:
  ///   - active: True to activate the session.
  ///   - options: Not used.
  /// - Throws: Never.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    system.set { $0.isActive = active }
  }

  /// Posts a route change notification with the reason `override`.
  ///
  /// The output does not change, because the ALSA configuration chooses the device.
  ///
  /// - Parameter portOverride: The override; not used.
  /// - Throws: Never.
  open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    system.post(.overridden)
  }

  // MARK: Permission

  /// The permission to record: always `granted`, since Linux does not ask for it.
  open var recordPermission: RecordPermission { .granted }

  /// Calls a block with true, since Linux does not ask for permission to record.
  ///
  /// - Parameter response: The block. It is called on a global queue.
  open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.global().async { response(true) }
  }
}
