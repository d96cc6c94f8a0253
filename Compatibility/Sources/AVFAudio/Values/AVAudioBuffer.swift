// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// Memory for sound of a format.
///
/// A program uses its subclasses `AVAudioPCMBuffer` and `AVAudioCompressedBuffer`.
@safe
open class AVAudioBuffer: NSObject {
  /// The format of the sound.
  public let format: AVAudioFormat
  /// The buffers.
  let memory: BufferMemory

  init(_ format: AVAudioFormat, _ memory: BufferMemory) {
    (self.format, self.memory) = (format, memory)
    super.init()
  }

  /// The buffers; `mDataByteSize` is the size of the sound in them.
  open var audioBufferList: UnsafePointer<AudioBufferList> {
    unsafe memory.list.unsafePointer
  }

  /// The buffers as a list that a program may change; `mDataByteSize` is at first their capacity.
  ///
  /// A program that fills the buffers sets the length of the buffer afterwards.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
    unsafe memory.mutableList.unsafeMutablePointer
  }

  /// Returns a copy of the buffer and its memory.
  ///
  /// - Returns: The copy.
  override open func copy() -> Any { duplicate() }

  /// Returns a copy of the buffer and its memory.
  ///
  /// - Returns: The copy.
  override open func mutableCopy() -> Any { duplicate() }

  func duplicate() -> AVAudioBuffer { self }
}
