// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AVAudioSession {
  /// Posted when the output device is disconnected and when it is connected again.
  public static let interruptionNotification = NSNotification.Name(
    "AVAudioSessionInterruptionNotification")
  /// Posted when the route has changed; the reason is in `userInfo`.
  public static let routeChangeNotification = NSNotification.Name(
    "AVAudioSessionRouteChangeNotification")
  /// The notification that the media services have ended; never posted on Linux.
  public static let mediaServicesWereLostNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// The notification that the media services have restarted; never posted on Linux.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
  /// The notification that another program has started or stopped its main audio; never posted on
  /// Linux.
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

/// The key in `userInfo` for the phase of an interruption: the raw value of an `InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

/// The key in `userInfo` for the options at the end of an interruption: the raw value of
/// `InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

/// The key in `userInfo` for the reason for an interruption: the raw value of an
/// `InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

/// The key in `userInfo` for a Boolean that is true if the program was suspended; not used on
/// Linux.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"

/// The key in `userInfo` for the reason for a route change: the raw value of a `RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

/// The key in `userInfo` for the route before the change: an `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// The key in `userInfo` for a hint about secondary audio: the raw value of a
/// `SilenceSecondaryAudioHintType`.
///
/// Not used on Linux.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
