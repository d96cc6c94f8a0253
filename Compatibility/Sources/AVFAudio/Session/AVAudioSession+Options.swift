// SPDX-License-Identifier: Apache-2.0

extension AVAudioSession {
  /// Options of a category.
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Playback mixes with other programs.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Other programs become softer.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Bluetooth headsets are allowed.
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// Bluetooth headsets are allowed.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
    /// The loudspeaker is used instead of the receiver.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Spoken sound of other programs is interrupted.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Bluetooth outputs for music are allowed.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Devices on the network are allowed.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// A muted microphone does not interrupt the session.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
  }

  /// Options of `setActive(_:options:)`.
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Other programs are notified; without effect.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Options of the end of an interruption.
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set from bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Playback can continue.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// A phase of an interruption.
  public enum InterruptionType: UInt, Sendable {
    /// The interruption has ended.
    case ended = 0
    /// The interruption begins.
    case began = 1
  }

  /// A reason for an interruption.
  public enum InterruptionReason: UInt, Sendable {
    /// Another program interrupts.
    case `default` = 0
    /// The program was suspended.
    case appWasSuspended = 1
    /// The microphone was muted.
    case builtInMicMuted = 2
    /// The device was disconnected.
    case routeDisconnected = 4
  }

  /// A reason for a change of the route.
  public enum RouteChangeReason: UInt, Sendable {
    /// The reason is unknown.
    case unknown = 0
    /// A device was connected.
    case newDeviceAvailable = 1
    /// The device was disconnected.
    case oldDeviceUnavailable = 2
    /// The category was changed.
    case categoryChange = 3
    /// The route was overridden.
    case override = 4
    /// The machine was resumed.
    case wakeFromSleep = 6
    /// The category does not have a suitable route.
    case noSuitableRouteForCategory = 7
    /// Data sources of the route changed.
    case routeConfigurationChange = 8
  }

  /// A hint to silence secondary sound.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// Secondary sound can continue.
    case end = 0
    /// Secondary sound must be silent.
    case begin = 1
  }

  /// A rule for sharing routes with other programs.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The default.
    case `default` = 0
    /// Long sound, such as music.
    case longFormAudio = 1
    /// The route is chosen for this program.
    case independent = 2
    /// Long video.
    case longFormVideo = 3
  }

  /// An override of the output.
  public enum PortOverride: UInt, Sendable {
    /// The output of the category.
    case none = 0
    /// The loudspeaker.
    case speaker = 0x7370_6B72
  }

  /// The permission to record.
  public enum RecordPermission: UInt, Sendable {
    /// The user was not asked yet.
    case undetermined = 0x756E_6474
    /// The user has denied it.
    case denied = 0x6465_6E79
    /// The user has granted it; always on Linux.
    case granted = 0x6772_6E74
  }

  /// A relation between input and output.
  public enum IOType: UInt, Sendable {
    /// The default.
    case notSpecified = 0
    /// Input and output share callbacks.
    case aggregated = 1
  }
}
