// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// The domain of errors of assets and players.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of an asset, a reader, a writer, an export or a player.
///
/// As an `NSError` it has the domain `AVFoundationErrorDomain` and Apple's code.
public struct AVError: Error, Hashable, Sendable {
  /// The reason.
  public let code: Code
  /// A sentence for the user, or nil.
  let reason: String?
  /// The error beneath, or nil.
  let cause: Cause?

  /// An error of the system.
  struct Cause: Hashable {
    let domain: String
    let code: Int
  }

  /// Creates an error.
  ///
  /// - Parameter code: The reason.
  public init(_ code: Code) { self.init(code, nil) }

  init(_ code: Code, _ reason: String?, _ cause: Cause? = nil) {
    (self.code, self.reason, self.cause) = (code, reason, cause)
  }

  /// The reason of an error, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// The reason is in the error beneath, or not known.
    case unknown = -11800
    /// Memory runs out.
    case outOfMemory = -11801
    /// A writer did not receive samples.
    case noDataCaptured = -11805
    /// The disk is full.
    case diskFull = -11807
    /// Samples do not follow one another.
    case mediaDiscontinuity = -11812
    /// The file type cannot hold more samples.
    case maximumNumberOfSamplesForFileFormatReached = -11813
    /// The export failed.
    case exportFailed = -11820
    /// The sound cannot be decoded.
    case decodeFailed = -11821
    /// The samples have another format than is possible.
    case invalidSourceMedia = -11822
    /// A file has the name already.
    case fileAlreadyExists = -11823
    /// The file is not a sound file.
    case fileFormatNotRecognized = -11828
    /// The file is damaged.
    case fileFailedToParse = -11829
    /// A decoder is not installed.
    case decoderNotFound = -11833
    /// An encoder is not installed.
    case encoderNotFound = -11834
    /// The asset does not permit the operation.
    case operationNotSupportedForAsset = -11838
    /// The server does not give the sound as it should.
    case serverIncorrectlyConfigured = -11850
    /// The settings are not possible.
    case unsupportedOutputSettings = -11861
    /// The operation is not possible at this time.
    case operationNotAllowed = -11862
    /// The address does not have sound.
    case contentIsUnavailable = -11863
    /// The asset does not have a track of sound.
    case noSourceTrack = -11869
    /// The operation was cancelled.
    case operationCancelled = -11878
  }
}

extension AVError: CustomNSError, LocalizedError {
  /// `AVFoundationErrorDomain`.
  public static var errorDomain: String { AVFoundationErrorDomain }

  /// The code as a number.
  public var errorCode: Int { code.rawValue }

  /// The description, the reason and the error beneath, by the keys of `NSError`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: words]
    if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
    if let cause { info[NSUnderlyingErrorKey] = NSError(domain: cause.domain, code: cause.code) }
    return info
  }

  /// The description.
  public var errorDescription: String? { words }

  /// The sentence for the user.
  public var failureReason: String? { reason }

  private var words: String { reason ?? "\(code)" }
}

extension AVError.Code {
  /// True for an `AVError` with the code, so that `catch` finds it.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - error: An error.
  /// - Returns: True if the error has the code.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool {
    (error as? AVError)?.code == code
  }
}

// Apple's names of the codes as members of the error.
extension AVError {
  /// The reason is in the error beneath, or not known.
  public static var unknown: Code { .unknown }
  /// A writer did not receive samples.
  public static var noDataCaptured: Code { .noDataCaptured }
  /// The disk is full.
  public static var diskFull: Code { .diskFull }
  /// The export failed.
  public static var exportFailed: Code { .exportFailed }
  /// The sound cannot be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// The samples have another format than is possible.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  /// A file has the name already.
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// The file is not a sound file.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// The file is damaged.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// A decoder is not installed.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// An encoder is not installed.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The asset does not permit the operation.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// The settings are not possible.
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  /// The operation is not possible at this time.
  public static var operationNotAllowed: Code { .operationNotAllowed }
  /// The address does not have sound.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
}
