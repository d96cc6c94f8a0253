// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AVAudioSession {
  /// The device was disconnected, or is back.
  public static let interruptionNotification = NSNotification.Name(
    "AVAudioSessionInterruptionNotification")
  /// The route changed.
  public static let routeChangeNotification = NSNotification.Name(
    "AVAudioSessionRouteChangeNotification")
  /// The media services ended; never sent.
  public static let mediaServicesWereLostNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The media services started again; never sent.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// Another program began or ended primary sound; never sent.
  public static let silenceSecondaryAudioHintNotification = NSNotification.Name(
    "AVAudioSessionSilenceSecondaryAudioHintNotification")
}

extension NSNotification.Name {
  /// The older name of `AVAudioSession.interruptionNotification`.
  public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
  /// The older name of `AVAudioSession.routeChangeNotification`.
  public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
  /// The older name of `AVAudioSession.mediaServicesWereLostNotification`.
  public static let AVAudioSessionMediaServicesWereLost =
    AVAudioSession.mediaServicesWereLostNotification
  /// The older name of `AVAudioSession.mediaServicesWereResetNotification`.
  public static let AVAudioSessionMediaServicesWereReset =
    AVAudioSession.mediaServicesWereResetNotification
  /// The older name of `AVAudioSession.silenceSecondaryAudioHintNotification`.
  public static let AVAudioSessionSilenceSecondaryAudioHint =
    AVAudioSession.silenceSecondaryAudioHintNotification
}

/// The phase of an interruption: the raw value of an `InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

/// The options at the end of an interruption: the raw value of `InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

/// The reason for an interruption: the raw value of an `InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

/// True if the program was suspended; not used.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"

/// The reason for a change of the route: the raw value of a `RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

/// The route before the change: an `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// The hint: the raw value of a `SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
