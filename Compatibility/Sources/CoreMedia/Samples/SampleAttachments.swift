// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// True if an attachment is copied with its buffer.
public typealias CMAttachmentMode = UInt32

/// The attachment is not copied.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is copied.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

// Keys never change.

/// The duration that is removed from the start after decoding, as a dictionary of a time.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString =
  "TrimDurationAtStart"
/// The duration that is removed from the end after decoding, as a dictionary of a time.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString =
  "TrimDurationAtEnd"

/// Returns an attachment.
///
/// - Parameters:
///   - target: A sample buffer.
///   - key: The key.
///   - attachmentModeOut: Receives the mode, or nil.
/// - Returns: The attachment, or nil.
public func CMGetAttachment(
  _ target: CMSampleBuffer, key: CFString,
  attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
  guard let found = target.attachment(key.description) else { return nil }
  unsafe attachmentModeOut?.pointee = found.mode
  return found.value
}

/// Attaches an object, or removes it.
///
/// - Parameters:
///   - target: A sample buffer.
///   - key: The key.
///   - value: The object; nil to remove it.
///   - attachmentMode: True if it is copied with the buffer.
public func CMSetAttachment(
  _ target: CMSampleBuffer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
  target.attach(value.map { ($0, attachmentMode) }, key.description)
}

/// Removes an attachment.
///
/// - Parameters:
///   - target: A sample buffer.
///   - key: The key.
public func CMRemoveAttachment(_ target: CMSampleBuffer, key: CFString) {
  target.attach(nil, key.description)
}
