// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import Foundation

extension AudioChannelLayout {
  /// Bytes before the first description.
  static var head: Int {
    MemoryLayout<AudioChannelLayout>.size - MemoryLayout<AudioChannelDescription>.size
  }

  /// Returns the size of a channel layout.
  ///
  /// - Parameter maximumDescriptions: The number of channel descriptions, at least 0.
  /// - Returns: The size in bytes, which includes memory for at least one description.
  public static func sizeInBytes(maximumDescriptions: Int) -> Int {
    precondition(maximumDescriptions >= 0, "a negative number of channel descriptions")
    return head + max(1, maximumDescriptions) * MemoryLayout<AudioChannelDescription>.stride
  }

  /// Allocates a channel layout whose channels are unknown.
  ///
  /// Free the `unsafeMutablePointer` of the result with `free`.
  ///
  /// - Parameter maximumDescriptions: The number of channel descriptions, at least 0.
  /// - Returns: The layout, with the tag `kAudioChannelLayoutTag_UseChannelDescriptions`.
  public static func allocate(maximumDescriptions: Int) -> AudioChannelLayout.UnsafeMutablePointer {
    let size = sizeInBytes(maximumDescriptions: maximumDescriptions)
    guard let memory = unsafe calloc(1, size) else {
      fatalError("no memory for an AudioChannelLayout")
    }
    let layout = unsafe UnsafeMutablePointer(
      memory.bindMemory(to: AudioChannelLayout.self, capacity: 1))
    unsafe layout.unsafeMutablePointer.pointee.mNumberChannelDescriptions = UInt32(
      maximumDescriptions)
    for index in 0..<maximumDescriptions {
      unsafe layout[index].mChannelLabel = kAudioChannelLabel_Unknown
    }
    return unsafe layout
  }
}

extension AudioChannelDescription: @retroactive Equatable {
  /// True if two descriptions have the same label, flags and coordinates.
  public static func == (lhs: AudioChannelDescription, rhs: AudioChannelDescription) -> Bool {
    lhs.mChannelLabel == rhs.mChannelLabel && lhs.mChannelFlags == rhs.mChannelFlags
      && lhs.mCoordinates == rhs.mCoordinates
  }
}
