// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import FileNames
internal import Foundation
internal import MusicalTime

/// An export: a file that is written from an asset.
struct ExportPlan: Sendable {
  let source: String
  let target: String
  let kind: SoundFileKind
  let preset: ExportPreset
  let range: CMTimeRange

  /// Writes the file, which appears complete or not at all.
  ///
  /// - Parameter progress: Receives the share that is done; returns false to end the export.
  /// - Returns: False if `progress` ended it.
  /// - Throws: The error of the source, of the new file or of the encoder.
  func run(_ progress: (Double) -> Bool) throws(AVError) -> Bool {
    try OutputPlace.check(target)
    do {
      let reader = try SoundFileReader(path: source)
      if preset == .passthrough, let packets = reader.packets() {
        return try copy(packets, reader.metadata.tags, progress)
      }
      return try convert(reader, progress)
    } catch SoundFileError.codecsMissing(let path, let found) where path == target {
      throw AVError(
        .encoderNotFound, SoundFileError.codecsMissing(path: path, found: found).description)
    } catch {
      throw AVError.of(error)
    }
  }

  /// Removes the file of an export that was cancelled after its last samples.
  func removeTarget() { _ = target.withSystemPath { unsafe unlink($0) } }

  /// Copies the packets of a range.
  private func copy(
    _ packets: PacketReader, _ tags: [SoundFileMetadata.Tag: String], _ progress: (Double) -> Bool
  ) throws -> Bool {
    let frames = try frames(at: packets.table.hertz, of: packets.table.frameCount)
    guard let container = kind.container,
      let part = PacketExcerpt(packets, frames: frames, for: container)
    else {
      throw AVError(.operationNotSupportedForAsset, "\(source): the packets cannot be copied")
    }
    return try PacketFile.write(
      part, to: target, as: container, tags: tags, mayReplace: false, progress: progress)
  }

  /// The frames of the range.
  private func frames(at hertz: Int, of count: Int64) throws(AVError) -> Range<Int64> {
    let frames = range.frames(at: hertz, of: count)
    guard !frames.isEmpty else {
      throw AVError(.exportFailed, "\(source): the time range does not contain sound")
    }
    return frames
  }

  private func convert(_ reader: SoundFileReader, _ progress: (Double) -> Bool) throws -> Bool {
    guard let format = try preset.format(kind, ExtFileOpening.formats(reader)[0]) else {
      throw AVError(
        .operationNotSupportedForAsset, "\(source): cannot be exported as \(kind.name)")
    }
    var conversion = SoundFileConversion(to: format)
    conversion.mayReplace = false
    conversion.codecBitrate = preset.bitRate
    let hertz = Int(reader.rate.hertz)
    if range.start.frame(at: hertz) ?? 0 > 0 || range.duration.isNumeric {
      let length = try AssetFacts(reader).frameCount ?? Int64(clamping: reader.frameCount)
      conversion.frames = try frames(at: hertz, of: length)
      // The length may have been counted by reading.
      let again = try SoundFileReader(path: source)
      return try conversion.run(from: again, to: target) { progress($0.fraction) } != nil
    }
    return try conversion.run(from: reader, to: target) { progress($0.fraction) } != nil
  }
}
