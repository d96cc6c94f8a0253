// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: exports a song of a library to an M4A file, with its progress.
//
// Arguments: the song, and the M4A file to write.
import AVFoundation
import Foundation

func name(_ asset: AVAsset) async throws -> String {
  let items = try await asset.load(.commonMetadata)
  func text(_ identifier: AVMetadataIdentifier) -> String {
    AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier)
      .first?.stringValue ?? "unknown"
  }
  return text(.commonIdentifierArtist) + ": " + text(.commonIdentifierTitle)
}

func export(_ song: URL, to file: URL) async throws {
  let asset = AVURLAsset(url: song)
  let (duration, tracks) = try await asset.load(.duration, .tracks)
  print(try await name(asset))
  print("seconds", CMTimeGetSeconds(duration), "tracks", tracks.count)
  guard
    let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A)
  else {
    print("the song cannot be exported")
    return
  }
  let states = session.states(updateInterval: 0.01)
  let watch = Task {
    for await state in states {
      if case .exporting(let progress) = state, progress.fractionCompleted > 1 {
        print("too much progress")
      }
    }
  }
  do {
    try await session.export(to: file, as: .m4a)
  } catch AVError.fileAlreadyExists {
    print("the file exists already")
    return
  }
  await watch.value
  print("progress", session.progress)
  try await check(file, against: duration)
}

/// Reads the samples of the new file.
func check(_ file: URL, against duration: CMTime) async throws {
  let asset = AVURLAsset(url: file)
  guard let track = try await asset.loadTracks(withMediaType: .audio).first else { return }
  let reader = try AVAssetReader(asset: asset)
  let output = AVAssetReaderTrackOutput(
    track: track,
    outputSettings: [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16,
      AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
      AVLinearPCMIsNonInterleaved: false,
    ])
  reader.add(output)
  reader.startReading()
  var (frames, loudest) = (0, Int16(0))
  while let buffer = output.copyNextSampleBuffer() {
    frames += CMSampleBufferGetNumSamples(buffer)
    guard let block = CMSampleBufferGetDataBuffer(buffer) else { continue }
    var samples = [Int16](repeating: 0, count: CMBlockBufferGetDataLength(block) / 2)
    CMBlockBufferCopyDataBytes(
      block, atOffset: 0, dataLength: samples.count * 2, destination: &samples)
    loudest = max(loudest, samples.max() ?? 0)
    CMSampleBufferInvalidate(buffer)
  }
  let expected = CMTimeConvertScale(
    duration, timescale: track.naturalTimeScale, method: .default)
  print("complete", reader.status == .completed, "difference", Int64(frames) - expected.value)
  print("loud", loudest > 1000)
}

let arguments = CommandLine.arguments
do {
  for _ in 1...2 {
    try await export(
      URL(fileURLWithPath: arguments[1]), to: URL(fileURLWithPath: arguments[2]))
  }
} catch {
  print("error:", error.localizedDescription)
  exit(1)
}
