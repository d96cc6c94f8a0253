// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// States whether an attachment is kept when its sample buffer is copied.
public typealias CMAttachmentMode = UInt32

/// The attachment is not copied with the sample buffer.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is copied with the sample buffer.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

// Keys never change.

/// The duration to trim from the start of the decoded audio: a `CMTime` as a dictionary.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString =
  "TrimDurationAtStart"
/// The duration to trim from the end of the decoded audio: a `CMTime` as a dictionary.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString =
  "TrimDurationAtEnd"

/// Returns an attachment of a sample buffer.
///
/// - Parameters:
///   - target: The sample buffer.
///   - key: The key of the attachment.
///   - attachmentModeOut: Receives the attachment mode; may be nil.
/// - Returns: The attachment; nil if the sample buffer does not have one with this key.
public func CMGetAttachment(
  _ target: CMSampleBuffer, key: CFString,
  attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  guard let found = target.attachment(key.description) else { return nil }
  unsafe attachmentModeOut?.pointee = found.mode
  return found.value
}

/// Sets or removes an attachment of a sample buffer.
///
/// - Parameters:
///   - target: The sample buffer.
///   - key: The key of the attachment.
///   - value: The attachment; nil to remove it.
///   - attachmentMode: States whether the attachment is copied with the sample buffer.
public func CMSetAttachment(
  _ target: CMSampleBuffer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  target.attach(value.map { ($0, attachmentMode) }, key.description)
}

/// Removes an attachment of a sample buffer.
///
/// - Parameters:
///   - target: The sample buffer.
///   - key: The key of the attachment.
public func CMRemoveAttachment(_ target: CMSampleBuffer, key: CFString) {
  target.attach(nil, key.description)
}
