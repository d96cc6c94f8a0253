// SPDX-License-Identifier: Apache-2.0

// Names of programs from before Swift 4.2.

/// The older name of `AVAudioSession.CategoryOptions`.
public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions

/// The older name of `AVAudioSession.SetActiveOptions`.
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions

/// The older name of `AVAudioSession.InterruptionOptions`.
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions

/// The older name of `AVAudioSession.InterruptionType`.
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType

/// The older name of `AVAudioSession.RouteChangeReason`.
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason

/// The older name of `AVAudioSession.PortOverride`.
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride

/// The older name of `AVAudioSession.RecordPermission`.
public typealias AVAudioSessionRecordPermission = AVAudioSession.RecordPermission

/// The category's constant as a string.
public let AVAudioSessionCategoryAmbient = "AVAudioSessionCategoryAmbient"

/// The category's constant as a string.
public let AVAudioSessionCategorySoloAmbient = "AVAudioSessionCategorySoloAmbient"

/// The category's constant as a string.
public let AVAudioSessionCategoryPlayback = "AVAudioSessionCategoryPlayback"

/// The category's constant as a string.
public let AVAudioSessionCategoryRecord = "AVAudioSessionCategoryRecord"

/// The category's constant as a string.
public let AVAudioSessionCategoryPlayAndRecord = "AVAudioSessionCategoryPlayAndRecord"

/// The category's constant as a string.
public let AVAudioSessionCategoryAudioProcessing = "AVAudioSessionCategoryAudioProcessing"

/// The category's constant as a string.
public let AVAudioSessionCategoryMultiRoute = "AVAudioSessionCategoryMultiRoute"

/// The mode's constant as a string.
public let AVAudioSessionModeDefault = "AVAudioSessionModeDefault"

/// The mode's constant as a string.
public let AVAudioSessionModeVoiceChat = "AVAudioSessionModeVoiceChat"

/// The mode's constant as a string.
public let AVAudioSessionModeGameChat = "AVAudioSessionModeGameChat"

/// The mode's constant as a string.
public let AVAudioSessionModeVideoRecording = "AVAudioSessionModeVideoRecording"

/// The mode's constant as a string.
public let AVAudioSessionModeMeasurement = "AVAudioSessionModeMeasurement"

/// The mode's constant as a string.
public let AVAudioSessionModeMoviePlayback = "AVAudioSessionModeMoviePlayback"

/// The mode's constant as a string.
public let AVAudioSessionModeVideoChat = "AVAudioSessionModeVideoChat"

/// The mode's constant as a string.
public let AVAudioSessionModeSpokenAudio = "AVAudioSessionModeSpokenAudio"

/// The port's constant as a string.
public let AVAudioSessionPortLineIn = "LineIn"

/// The port's constant as a string.
public let AVAudioSessionPortBuiltInMic = "MicrophoneBuiltIn"

/// The port's constant as a string.
public let AVAudioSessionPortHeadsetMic = "MicrophoneWired"

/// The port's constant as a string.
public let AVAudioSessionPortLineOut = "LineOut"

/// The port's constant as a string.
public let AVAudioSessionPortHeadphones = "Headphones"

/// The port's constant as a string.
public let AVAudioSessionPortBluetoothA2DP = "BluetoothA2DPOutput"

/// The port's constant as a string.
public let AVAudioSessionPortBuiltInReceiver = "Receiver"

/// The port's constant as a string.
public let AVAudioSessionPortBuiltInSpeaker = "Speaker"

/// The port's constant as a string.
public let AVAudioSessionPortHDMI = "HDMIOutput"

/// The port's constant as a string.
public let AVAudioSessionPortAirPlay = "AirPlay"

/// The port's constant as a string.
public let AVAudioSessionPortBluetoothHFP = "BluetoothHFP"

/// The port's constant as a string.
public let AVAudioSessionPortUSBAudio = "USBAudio"

extension AVAudioSession {
  /// Sets the category, in the form of Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - category: A constant such as `AVAudioSessionCategoryPlayback`.
  ///   - options: Options.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  public func setCategory(_ category: String, with options: CategoryOptions = []) throws {
    try setCategory(Category(rawValue: category), mode: .default, options: options)
  }

  /// Sets the category and the mode, in the form of Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - category: A constant such as `AVAudioSessionCategoryPlayback`.
  ///   - mode: A constant such as `AVAudioSessionModeDefault`.
  ///   - options: Options.
  /// - Throws: `ErrorCode.badParam` for an unknown category or mode.
  public func setCategory(
    _ category: String, mode: String, options: CategoryOptions = []
  ) throws {
    try setCategory(Category(rawValue: category), mode: Mode(rawValue: mode), options: options)
  }

  /// Sets the mode, in the form of Swift 4.0 and earlier.
  ///
  /// - Parameter mode: A constant such as `AVAudioSessionModeDefault`.
  /// - Throws: `ErrorCode.badParam` for an unknown mode.
  public func setMode(_ mode: String) throws {
    try setMode(Mode(rawValue: mode))
  }

  /// Makes the session active or inactive, in the form of Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - active: True for active.
  ///   - options: Options.
  /// - Throws: Nothing.
  public func setActive(_ active: Bool, with options: SetActiveOptions) throws {
    try setActive(active, options: options)
  }
}
