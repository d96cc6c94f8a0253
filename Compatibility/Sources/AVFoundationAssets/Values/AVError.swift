// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// The error domain of assets and players.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of an asset, a reader, a writer, an export session or a player.
///
/// As an `NSError`, it has the domain `AVFoundationErrorDomain` and Apple's error code.
public struct AVError: Error, Hashable, Sendable {
  /// The error code.
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
  /// - Parameter code: The error code.
  public init(_ code: Code) { self.init(code, nil) }

  init(_ code: Code, _ reason: String?, _ cause: Cause? = nil) {
    (self.code, self.reason, self.cause) = (code, reason, cause)
  }

  /// The error codes, with Apple's numbers.
  public enum Code: Int, Sendable {
    /// The reason is unknown, or given by the underlying error.
    case unknown = -11800
    /// Not enough memory is available.
    case outOfMemory = -11801
    /// The writer did not receive any samples.
    case noDataCaptured = -11805
    /// The disk is full.
    case diskFull = -11807
    /// The samples of two buffers do not follow one another in time.
    case mediaDiscontinuity = -11812
    /// The file type cannot hold more samples.
    case maximumNumberOfSamplesForFileFormatReached = -11813
    /// The export has failed.
    case exportFailed = -11820
    /// The audio cannot be decoded.
    case decodeFailed = -11821
    /// The format of the source samples is not supported.
    case invalidSourceMedia = -11822
    /// A file with this name already exists.
    case fileAlreadyExists = -11823
    /// The file is not an audio file.
    case fileFormatNotRecognized = -11828
    /// The file is damaged.
    case fileFailedToParse = -11829
    /// The decoder for this format is not installed.
    case decoderNotFound = -11833
    /// The encoder for this format is not installed.
    case encoderNotFound = -11834
    /// The asset does not support the operation.
    case operationNotSupportedForAsset = -11838
    /// The response of the server is not valid.
    case serverIncorrectlyConfigured = -11850
    /// The output settings are not supported.
    case unsupportedOutputSettings = -11861
    /// The operation is not allowed in the current state.
    case operationNotAllowed = -11862
    /// The address does not contain audio.
    case contentIsUnavailable = -11863
    /// The asset does not have an audio track.
    case noSourceTrack = -11869
    /// The operation was cancelled.
    case operationCancelled = -11878
  }
}

extension AVError: CustomNSError, LocalizedError {
  /// The error domain, `AVFoundationErrorDomain`.
  public static var errorDomain: String { AVFoundationErrorDomain }

  /// The error code as a number.
  public var errorCode: Int { code.rawValue }

  /// The description, the failure reason and the underlying error, by the keys of `NSError`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: words]
    if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
    if let cause { info[NSUnderlyingErrorKey] = NSError(domain: cause.domain, code: cause.code) }
    return info
  }

  /// A description of the error for users.
  public var errorDescription: String? { words }

  /// The reason for the failure, as a sentence for users.
  public var failureReason: String? { reason }

  private var words: String { reason ?? "\(code)" }
}

extension AVError.Code {
  /// Returns true if an error is an `AVError` with a certain code, for use in `catch` patterns.
  ///
  /// - Parameters:
  ///   - code: The error code.
  ///   - error: The error.
  /// - Returns: True if the error has the code.
  public static func ~= (code: AVError.Code, error: any Error) -> Bool {
    (error as? AVError)?.code == code
  }
}

// Apple's names of the codes as members of the error.
extension AVError {
  /// The reason is unknown, or given by the underlying error.
  public static var unknown: Code { .unknown }
  /// The writer did not receive any samples.
  public static var noDataCaptured: Code { .noDataCaptured }
  /// The disk is full.
  public static var diskFull: Code { .diskFull }
  /// The export has failed.
  public static var exportFailed: Code { .exportFailed }
  /// The audio cannot be decoded.
  public static var decodeFailed: Code { .decodeFailed }
  /// The format of the source samples is not supported.
  public static var invalidSourceMedia: Code { .invalidSourceMedia }
  /// A file with this name already exists.
  public static var fileAlreadyExists: Code { .fileAlreadyExists }
  /// The file is not an audio file.
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  /// The file is damaged.
  public static var fileFailedToParse: Code { .fileFailedToParse }
  /// The decoder for this format is not installed.
  public static var decoderNotFound: Code { .decoderNotFound }
  /// The encoder for this format is not installed.
  public static var encoderNotFound: Code { .encoderNotFound }
  /// The asset does not support the operation.
  public static var operationNotSupportedForAsset: Code { .operationNotSupportedForAsset }
  /// The output settings are not supported.
  public static var unsupportedOutputSettings: Code { .unsupportedOutputSettings }
  /// The operation is not allowed in the current state.
  public static var operationNotAllowed: Code { .operationNotAllowed }
  /// The address does not contain audio.
  public static var contentIsUnavailable: Code { .contentIsUnavailable }
  /// The operation was cancelled.
  public static var operationCancelled: Code { .operationCancelled }
}
