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

/// The string of `AVAudioSession.Category.ambient`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryAmbient = "AVAudioSessionCategoryAmbient"

/// The string of `AVAudioSession.Category.soloAmbient`, for Swift 4.0 and earlier.
public let AVAudioSessionCategorySoloAmbient = "AVAudioSessionCategorySoloAmbient"

/// The string of `AVAudioSession.Category.playback`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryPlayback = "AVAudioSessionCategoryPlayback"

/// The string of `AVAudioSession.Category.record`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryRecord = "AVAudioSessionCategoryRecord"

/// The string of `AVAudioSession.Category.playAndRecord`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryPlayAndRecord = "AVAudioSessionCategoryPlayAndRecord"

/// The string of `AVAudioSession.Category.audioProcessing`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryAudioProcessing = "AVAudioSessionCategoryAudioProcessing"

/// The string of `AVAudioSession.Category.multiRoute`, for Swift 4.0 and earlier.
public let AVAudioSessionCategoryMultiRoute = "AVAudioSessionCategoryMultiRoute"

/// The string of `AVAudioSession.Mode.default`, for Swift 4.0 and earlier.
public let AVAudioSessionModeDefault = "AVAudioSessionModeDefault"

/// The string of `AVAudioSession.Mode.voiceChat`, for Swift 4.0 and earlier.
public let AVAudioSessionModeVoiceChat = "AVAudioSessionModeVoiceChat"

/// The string of `AVAudioSession.Mode.gameChat`, for Swift 4.0 and earlier.
public let AVAudioSessionModeGameChat = "AVAudioSessionModeGameChat"

/// The string of `AVAudioSession.Mode.videoRecording`, for Swift 4.0 and earlier.
public let AVAudioSessionModeVideoRecording = "AVAudioSessionModeVideoRecording"

/// The string of `AVAudioSession.Mode.measurement`, for Swift 4.0 and earlier.
public let AVAudioSessionModeMeasurement = "AVAudioSessionModeMeasurement"

/// The string of `AVAudioSession.Mode.moviePlayback`, for Swift 4.0 and earlier.
public let AVAudioSessionModeMoviePlayback = "AVAudioSessionModeMoviePlayback"

/// The string of `AVAudioSession.Mode.videoChat`, for Swift 4.0 and earlier.
public let AVAudioSessionModeVideoChat = "AVAudioSessionModeVideoChat"

/// The string of `AVAudioSession.Mode.spokenAudio`, for Swift 4.0 and earlier.
public let AVAudioSessionModeSpokenAudio = "AVAudioSessionModeSpokenAudio"

/// The string of `AVAudioSession.Port.lineIn`, for Swift 4.0 and earlier.
public let AVAudioSessionPortLineIn = "LineIn"

/// The string of `AVAudioSession.Port.builtInMic`, for Swift 4.0 and earlier.
public let AVAudioSessionPortBuiltInMic = "MicrophoneBuiltIn"

/// The string of `AVAudioSession.Port.headsetMic`, for Swift 4.0 and earlier.
public let AVAudioSessionPortHeadsetMic = "MicrophoneWired"

/// The string of `AVAudioSession.Port.lineOut`, for Swift 4.0 and earlier.
public let AVAudioSessionPortLineOut = "LineOut"

/// The string of `AVAudioSession.Port.headphones`, for Swift 4.0 and earlier.
public let AVAudioSessionPortHeadphones = "Headphones"

/// The string of `AVAudioSession.Port.bluetoothA2DP`, for Swift 4.0 and earlier.
public let AVAudioSessionPortBluetoothA2DP = "BluetoothA2DPOutput"

/// The string of `AVAudioSession.Port.builtInReceiver`, for Swift 4.0 and earlier.
public let AVAudioSessionPortBuiltInReceiver = "Receiver"

/// The string of `AVAudioSession.Port.builtInSpeaker`, for Swift 4.0 and earlier.
public let AVAudioSessionPortBuiltInSpeaker = "Speaker"

/// The string of `AVAudioSession.Port.HDMI`, for Swift 4.0 and earlier.
public let AVAudioSessionPortHDMI = "HDMIOutput"

/// The string of `AVAudioSession.Port.airPlay`, for Swift 4.0 and earlier.
public let AVAudioSessionPortAirPlay = "AirPlay"

/// The string of `AVAudioSession.Port.bluetoothHFP`, for Swift 4.0 and earlier.
public let AVAudioSessionPortBluetoothHFP = "BluetoothHFP"

/// The string of `AVAudioSession.Port.usbAudio`, for Swift 4.0 and earlier.
public let AVAudioSessionPortUSBAudio = "USBAudio"

extension AVAudioSession {
  /// Sets the category by its string, as in Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - category: A constant such as `AVAudioSessionCategoryPlayback`.
  ///   - options: The options of the category.
  /// - Throws: `ErrorCode.badParam` for an unknown category.
  public func setCategory(_ category: String, with options: CategoryOptions = []) throws {
    try setCategory(Category(rawValue: category), mode: .default, options: options)
  }

  /// Sets the category and the mode by their strings, as in Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - category: A constant such as `AVAudioSessionCategoryPlayback`.
  ///   - mode: A constant such as `AVAudioSessionModeDefault`.
  ///   - options: The options of the category.
  /// - Throws: `ErrorCode.badParam` for an unknown category or mode.
  public func setCategory(
    _ category: String, mode: String, options: CategoryOptions = []
  ) throws {
    try setCategory(Category(rawValue: category), mode: Mode(rawValue: mode), options: options)
  }

  /// Sets the mode by its string, as in Swift 4.0 and earlier.
  ///
  /// - Parameter mode: A constant such as `AVAudioSessionModeDefault`.
  /// - Throws: `ErrorCode.badParam` for an unknown mode.
  public func setMode(_ mode: String) throws {
    try setMode(Mode(rawValue: mode))
  }

  /// Activates or deactivates the session, as in Swift 4.0 and earlier.
  ///
  /// - Parameters:
  ///   - active: True to activate the session.
  ///   - options: Not used.
  /// - Throws: Never.
  public func setActive(_ active: Bool, with options: SetActiveOptions) throws {
    try setActive(active, options: options)
  }
}
