// SPDX-License-Identifier: Apache-2.0
internal import Foundation

extension AVAudioSession {
  /// The result codes of an audio session.
  ///
  /// The values are the same as Apple's. Downbeat throws only `badParam` and
  /// `resourceNotAvailable`.
  public enum ErrorCode: Int, Sendable {
    /// The method succeeded.
    case none = 0
    /// The media services failed ('msrv').
    case mediaServicesFailed = 0x6D73_7276
    /// Audio is being played or recorded ('!act').
    case isBusy = 0x2161_6374
    /// The operation is not permitted in the session's category ('!cat').
    case incompatibleCategory = 0x2163_6174
    /// The audio of other programs cannot be interrupted ('!int').
    case cannotInterruptOthers = 0x2169_6E74
    /// The program lacks a required entitlement ('ent?').
    case missingEntitlement = 0x656E_743F
    /// Siri is recording ('siri').
    case siriIsRecording = 0x7369_7269
    /// Playback cannot start ('!pla').
    case cannotStartPlaying = 0x2170_6C61
    /// Recording cannot start ('!rec').
    case cannotStartRecording = 0x2172_6563
    /// An argument is invalid.
    case badParam = -50
    /// The program does not have sufficient priority ('!pri').
    case insufficientPriority = 0x2170_7269
    /// The device or setting is not available ('!res').
    case resourceNotAvailable = 0x2172_6573
    /// An unspecified error ('what').
    case unspecified = 0x7768_6174
    /// The session no longer exists ('!ses').
    case expiredSession = 0x2173_6573
    /// The session is not active ('inac').
    case sessionNotActive = 0x696E_6163
  }

  /// The error of a code, as methods throw it.
  static func error(_ code: ErrorCode) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: code.rawValue)
  }
}
