// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// A buffer of audio data in a given format.
///
/// Use the subclasses `AVAudioPCMBuffer` and `AVAudioCompressedBuffer`.
@safe
open class AVAudioBuffer: NSObject {
  /// The format of the audio data.
  public let format: AVAudioFormat
  /// The buffers.
  let memory: BufferMemory

  init(_ format: AVAudioFormat, _ memory: BufferMemory) {
    (self.format, self.memory) = (format, memory)
    super.init()
  }

  /// The audio buffer list of the buffer.
  ///
  /// `mDataByteSize` of each buffer in the list is the number of bytes of valid audio data.
  open var audioBufferList: UnsafePointer<AudioBufferList> {
    unsafe memory.list.unsafePointer
  }

  /// The audio buffer list of the buffer, for writing.
  ///
  /// `mDataByteSize` of each buffer in the list is initially its capacity. After you fill the
  /// buffers, set the length of this object, for example `frameLength`.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
    unsafe memory.mutableList.unsafeMutablePointer
  }

  /// Returns a copy of the buffer, including its audio data.
  ///
  /// - Returns: The copy.
  override open func copy() -> Any { duplicate() }

  /// Returns a copy of the buffer, including its audio data.
  ///
  /// - Returns: The copy.
  override open func mutableCopy() -> Any { duplicate() }

  func duplicate() -> AVAudioBuffer { self }
}
