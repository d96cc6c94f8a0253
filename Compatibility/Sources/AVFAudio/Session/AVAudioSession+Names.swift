// SPDX-License-Identifier: Apache-2.0

extension AVAudioSession {
  /// A use of sound by a program.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The constant's text.
    public let rawValue: String

    /// Creates a value from a constant's text.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Sound that mixes with other programs.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sound that silences other programs; the default.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Playback of music.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Playback and recording.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Processing without playback and recording.
    public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    /// Playback on more than one device.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// A special use within a category.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The constant's text.
    public let rawValue: String

    /// Creates a value from a constant's text.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The default.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Talks over a network.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Talks in games.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Recording of video.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Sound without processing, for measurements.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playback of video.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Video talks over a network.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Spoken sound, such as audiobooks.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short spoken messages, such as directions.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
  }

  /// A kind of port.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The constant's text.
    public let rawValue: String

    /// Creates a value from a constant's text.
    ///
    /// - Parameter rawValue: The text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A line input.
    public static let lineIn = Port(rawValue: "LineIn")
    /// A microphone of the machine.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// A microphone of a headset.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// A line output.
    public static let lineOut = Port(rawValue: "LineOut")
    /// Headphones.
    public static let headphones = Port(rawValue: "Headphones")
    /// A Bluetooth output for music.
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    /// The receiver of a telephone.
    public static let builtInReceiver = Port(rawValue: "Receiver")
    /// A loudspeaker of the machine.
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    /// An HDMI output.
    public static let HDMI = Port(rawValue: "HDMIOutput")
    /// A device on the network.
    public static let airPlay = Port(rawValue: "AirPlay")
    /// A Bluetooth device of low energy.
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    /// A Bluetooth headset.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// A USB device.
    public static let usbAudio = Port(rawValue: "USBAudio")
    /// The loudspeakers of a car.
    public static let carAudio = Port(rawValue: "CarAudio")
    /// A device without hardware; here also the null output.
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
