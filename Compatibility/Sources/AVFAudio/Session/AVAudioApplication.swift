// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The permission to record, and the muting of the input.
///
/// - Note: Any thread.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  // Unchecked: all state is that of `SystemSession`.

  /// The permission to record.
  public enum RecordPermission: Int, Sendable {
    /// The user was not asked yet.
    case undetermined = 0x756E_6474
    /// The user has denied it.
    case denied = 0x6465_6E79
    /// The user has granted it; always on Linux.
    case granted = 0x6772_6E74
  }

  /// The object of this process.
  public static let shared = AVAudioApplication(())

  private init(_: Void) {
    super.init()
  }

  /// `granted`: Linux does not ask.
  open var recordPermission: RecordPermission { .granted }

  /// True if the program has muted its recorders.
  open var isInputMuted: Bool { SystemSession.shared.settings.isInputMuted }

  /// Mutes the recorders of this process: they record silence.
  ///
  /// - Parameter muted: True for silence.
  /// - Throws: Nothing.
  open func setInputMuted(_ muted: Bool) throws {
    SystemSession.shared.set { $0.isInputMuted = muted }
    NotificationCenter.default.post(
      name: Self.inputMuteStateChangeNotification, object: self,
      userInfo: [Self.muteStateKey: muted])
  }

  /// Posted when `isInputMuted` changes.
  public static let inputMuteStateChangeNotification = NSNotification.Name(
    "AVAudioApplicationInputMuteStateChangeNotification")
  /// The key of the new state, a Bool.
  public static let muteStateKey = "AVAudioApplicationMuteStateKey"

  /// Calls a block with true: Linux does not ask.
  ///
  /// - Parameter response: The block, called on a queue.
  open class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    DispatchQueue.global().async { response(true) }
  }

  /// Returns true: Linux does not ask.
  ///
  /// - Returns: True.
  open class func requestRecordPermission() async -> Bool { true }
}
