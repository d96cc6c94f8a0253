// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The sound of an open file, as the functions of AudioFile.h use it.
///
/// Positions in bytes are those of the sound without the container: the samples, or the packets one
/// after another.
protocol AudioFileContent: AnyObject {
  /// The type of the file.
  var type: AudioFileTypeID { get }
  /// The formats in which the sound can be decoded, the richest first; one at least.
  var formats: [AudioStreamBasicDescription] { get }
  /// The configuration of the decoder in Apple's form; empty if it needs none.
  var cookie: [UInt8] { get }
  /// The offset of the first packet in the file, in bytes.
  var dataOffset: Int64 { get }
  var byteCount: Int64 { get }
  var packetCount: Int64 { get }
  /// The size of the largest packet in bytes.
  var maximumPacketSize: Int { get }
  /// Frames of sound, without those before and after it.
  var validFrameCount: Int64 { get }
  /// Frames per second of `validFrameCount`.
  var hertz: Int { get }
  /// Bits per second.
  var bitRate: Double { get }
  /// The loudspeakers of the channels.
  var layout: ChannelLayout { get }
  /// The packet table; nil for samples.
  var packetTable: AudioFilePacketTableInfo? { get }

  /// The extent of a packet; nil if it does not exist.
  func packet(_ number: Int64) -> AudioFilePacket?
  /// The number of the packet with a frame, counted from the first decoded frame; nil outside.
  func packet(ofFrame frame: Int64) -> Int64?
  /// The number of the packet with a byte; nil outside.
  func packet(ofByte byte: Int64) -> Int64?
  /// Reads bytes; returns how many there were.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at byte: Int64) throws(StatusError) -> Int

  /// Writes packets behind those that exist, or over samples.
  ///
  /// - Parameters:
  ///   - bytes: the packets.
  ///   - packets: their extents in `bytes`.
  ///   - start: the number of the first.
  /// - Throws: the code for packets that cannot be written there.
  func write(
    _ bytes: UnsafeRawBufferPointer, _ packets: AudioFilePackets, at start: Int64
  ) throws(StatusError)
  /// Writes bytes.
  func write(_ bytes: UnsafeRawBufferPointer, at byte: Int64) throws(StatusError)
  /// Changes a property; throws for one that cannot be changed.
  func set(_ property: AudioFilePropertyID, _ source: PropertySource) throws(StatusError)
  /// True if a property can be changed.
  func isWritable(_ property: AudioFilePropertyID) -> Bool
  /// Completes and closes the file.
  func close(_ metadata: SoundFileMetadata?) throws(StatusError)
}

/// Changes and writes are refused unless the content allows them.
extension AudioFileContent {
  func write(
    _ bytes: UnsafeRawBufferPointer, _ packets: AudioFilePackets, at start: Int64
  ) throws(StatusError) {
    throw StatusError(kAudioFileOperationNotSupportedError)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at byte: Int64) throws(StatusError) {
    throw StatusError(kAudioFileOperationNotSupportedError)
  }

  func set(_ property: AudioFilePropertyID, _ source: PropertySource) throws(StatusError) {
    throw StatusError(kAudioFileUnsupportedPropertyError)
  }

  func isWritable(_ property: AudioFilePropertyID) -> Bool { false }

  func close(_ metadata: SoundFileMetadata?) throws(StatusError) {}
}

extension AudioFileContent {
  /// The richest format.
  var format: AudioStreamBasicDescription { formats[0] }

  /// The size of every packet in bytes; nil if they differ.
  var constantPacketSize: Int? {
    let size = Int(format.mBytesPerPacket)
    return size > 0 ? size : nil
  }
}
