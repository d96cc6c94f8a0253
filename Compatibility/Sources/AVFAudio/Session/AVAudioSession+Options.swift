// SPDX-License-Identifier: Apache-2.0

extension AVAudioSession {
  /// The options of a category.
  ///
  /// On Linux the options are stored, but not used.
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The option bits.
    public let rawValue: UInt

    /// Creates a set of options from its bits.
    ///
    /// - Parameter rawValue: The option bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Mixes playback with the audio of other programs.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Lowers the volume of other programs during playback.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Permits Bluetooth Hands-Free Profile devices; the older name of `allowBluetoothHFP`.
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// Permits Bluetooth Hands-Free Profile devices, such as headsets.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
    /// Uses the built-in speaker by default instead of the receiver.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Interrupts the spoken audio of other programs and mixes with their other audio.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Permits Bluetooth A2DP outputs, which are meant for music.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Permits AirPlay devices.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// Keeps the session running when the built-in microphone is muted.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
  }

  /// The options of `setActive(_:options:)`.
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The option bits.
    public let rawValue: UInt

    /// Creates a set of options from its bits.
    ///
    /// - Parameter rawValue: The option bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Notifies other programs when the session is deactivated.
    ///
    /// On Linux this option is not used.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// The options that are sent when an interruption has ended.
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The option bits.
    public let rawValue: UInt

    /// Creates a set of options from its bits.
    ///
    /// - Parameter rawValue: The option bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Playback may be resumed.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// The phases of an interruption.
  public enum InterruptionType: UInt, Sendable {
    /// The interruption has ended.
    case ended = 0
    /// The interruption has begun.
    case began = 1
  }

  /// The reasons for an interruption.
  ///
  /// On Linux only `routeDisconnected` is used.
  public enum InterruptionReason: UInt, Sendable {
    /// Another program has interrupted the session.
    case `default` = 0
    /// The program was suspended.
    case appWasSuspended = 1
    /// The built-in microphone was muted.
    case builtInMicMuted = 2
    /// The output device was disconnected.
    case routeDisconnected = 4
  }

  /// The reasons for a route change.
  public enum RouteChangeReason: UInt, Sendable {
    /// The reason is unknown.
    case unknown = 0
    /// A device has become available.
    case newDeviceAvailable = 1
    /// A device that was in use was disconnected.
    case oldDeviceUnavailable = 2
    /// The category was changed.
    case categoryChange = 3
    /// `overrideOutputAudioPort(_:)` was called.
    case override = 4
    /// The machine has woken from sleep.
    case wakeFromSleep = 6
    /// The current category does not have a suitable route.
    case noSuitableRouteForCategory = 7
    /// The ports are the same, but their data sources or other settings have changed.
    case routeConfigurationChange = 8
  }

  /// A hint about the secondary audio of a program, such as background music in a game.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// Another program has stopped playing; secondary audio can continue.
    case end = 0
    /// Another program has started playing; secondary audio should be silent.
    case begin = 1
  }

  /// A policy for sharing routes with other programs.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The default policy.
    case `default` = 0
    /// Long-form audio, such as music.
    case longFormAudio = 1
    /// The system chooses the route of this program separately.
    case independent = 2
    /// Long-form video, such as films.
    case longFormVideo = 3
  }

  /// An override of the output route.
  ///
  /// On Linux the route does not change.
  public enum PortOverride: UInt, Sendable {
    /// No override: the output of the category is used.
    case none = 0
    /// The built-in speaker.
    case speaker = 0x7370_6B72
  }

  /// The states of the permission to record.
  public enum RecordPermission: UInt, Sendable {
    /// The user has not been asked yet.
    case undetermined = 0x756E_6474
    /// The user has denied permission to record.
    case denied = 0x6465_6E79
    /// Permission to record is granted. On Linux this is always the case.
    case granted = 0x6772_6E74
  }

  /// The relation between the callbacks of input and output.
  public enum IOType: UInt, Sendable {
    /// The default relation.
    case notSpecified = 0
    /// Input and output are handled in the same callback.
    case aggregated = 1
  }
}
