// SPDX-License-Identifier: Apache-2.0

extension AVAudioSession {
  /// A session category: how a program uses audio.
  ///
  /// On Linux the category is stored, but does not change how audio is played.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The string of the constant.
    public let rawValue: String

    /// Creates a category from the string of a constant.
    ///
    /// - Parameter rawValue: The string.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Background sound that mixes with the audio of other programs.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Background sound that silences other programs; the default category.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Playback that is central to the program, such as music.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording without playback.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Playback and recording.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Offline processing, without playback or recording.
    public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    /// Routing of separate streams to several devices at once.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// A session mode: a special use within a category.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The string of the constant.
    public let rawValue: String

    /// Creates a mode from the string of a constant.
    ///
    /// - Parameter rawValue: The string.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The default mode.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Voice calls over a network.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Voice chat in a game.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Video recording.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measurements, with as little signal processing as possible.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playback of films and other video.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Video calls over a network.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Continuous speech, such as audiobooks.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short spoken prompts, such as directions.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  /// The kind of a port: a connector or device for input or output.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The string of the constant.
    public let rawValue: String

    /// Creates a kind of port from the string of a constant.
    ///
    /// - Parameter rawValue: The string.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A line input.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The built-in microphone.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// The microphone of a wired headset.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// A line output.
    public static let lineOut = Port(rawValue: "LineOut")
    /// Headphones.
    public static let headphones = Port(rawValue: "Headphones")
    /// A Bluetooth A2DP output.
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    /// The receiver held to the ear during a phone call.
    public static let builtInReceiver = Port(rawValue: "Receiver")
    /// The built-in speaker.
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    /// An HDMI output.
    public static let HDMI = Port(rawValue: "HDMIOutput")
    /// An AirPlay device.
    public static let airPlay = Port(rawValue: "AirPlay")
    /// A Bluetooth Low Energy device.
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    /// A Bluetooth Hands-Free Profile device, such as a headset.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// A USB device.
    public static let usbAudio = Port(rawValue: "USBAudio")
    /// The audio system of a car.
    public static let carAudio = Port(rawValue: "CarAudio")
    /// A virtual device without hardware; on Linux also the null output.
    public static let virtual = Port(rawValue: "Virtual")
    /// A PCI card.
    public static let PCI = Port(rawValue: "PCI")
    /// A FireWire device.
    public static let fireWire = Port(rawValue: "FireWire")
    /// A DisplayPort output.
    public static let displayPort = Port(rawValue: "DisplayPort")
    /// A device on an AVB network.
    public static let AVB = Port(rawValue: "AVB")
    /// A Thunderbolt device.
    public static let thunderbolt = Port(rawValue: "Thunderbolt")
  }
}
