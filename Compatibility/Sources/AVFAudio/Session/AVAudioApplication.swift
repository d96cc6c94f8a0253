// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// An object that manages the recording permission and the mute state of the application.
///
/// - Note: Any thread.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  // Unchecked: all state is that of `SystemSession`.

  /// The states of the permission to record.
  public enum RecordPermission: Int, Sendable {
    /// The user has not been asked yet.
    case undetermined = 0x756E_6474
    /// The user has denied permission to record.
    case denied = 0x6465_6E79
    /// Permission to record is granted. On Linux this is always the case.
    case granted = 0x6772_6E74
  }

  /// The shared application object of this process.
  public static let shared = AVAudioApplication(())

  private init(_: Void) {
    super.init()
  }

  /// The permission to record: always `granted`, since Linux does not ask for it.
  open var recordPermission: RecordPermission { .granted }

  /// True if the input of this process is muted: its recorders record silence.
  open var isInputMuted: Bool { SystemSession.shared.settings.isInputMuted }

  /// Mutes or unmutes the recorders of this process; a muted recorder records silence.
  ///
  /// - Parameter muted: True to mute.
  /// - Throws: Never.
  open func setInputMuted(_ muted: Bool) throws {
    SystemSession.shared.set { $0.isInputMuted = muted }
    NotificationCenter.default.post(
      name: Self.inputMuteStateChangeNotification, object: self,
      userInfo: [Self.muteStateKey: muted])
  }

  /// Posted when `setInputMuted(_:)` is called.
  public static let inputMuteStateChangeNotification = NSNotification.Name(
    "AVAudioApplicationInputMuteStateChangeNotification")
  /// The key in `userInfo` for the new mute state, a `Bool`.
  public static let muteStateKey = "AVAudioApplicationMuteStateKey"

  /// Calls a block with true, since Linux does not ask for permission to record.
  ///
  /// - Parameter response: The block. It is called on a global queue.
  open class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    DispatchQueue.global().async { response(true) }
  }

  /// Returns true, since Linux does not ask for permission to record.
  ///
  /// - Returns: True.
  open class func requestRecordPermission() async -> Bool { true }
}
