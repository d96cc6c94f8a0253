// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackages
internal import WholeFiles

/// The reason that a sound file cannot be read, written or converted.
public enum SoundFileError: Error, Hashable, Sendable {
  /// libsndfile is not installed.
  case libraryMissing(reason: String)
  /// The file can be read or written only with FFmpeg, but a supported release is not installed.
  ///
  /// `found` is the version that is installed; nil if FFmpeg is not installed.
  case codecsMissing(path: String, found: String?)
  /// The file name extension is not that of a format that can be written.
  case unknownSuffix(path: String)
  /// The container does not support the encoding.
  case impossibleEncoding(SoundFileFormat.Encoding, container: SoundFileFormat.Container)
  /// The container does not support the number of channels or the rate.
  case impossibleShape(path: String, channelCount: Int, hertz: Int)
  /// A byte order was requested, but the byte order of this format cannot be selected.
  case impossibleByteOrder(path: String)
  /// libsoxr, which converts sample rates, is not installed.
  case converterMissing
  /// libebur128, which measures loudness, is not installed.
  case meterMissing
  /// The conversion of a sample rate is not possible, because one of the rates, in hertz, is
  /// outside the range of the converter.
  case impossibleRateChange(from: Int, to: Int)
  /// The file cannot be created; the code is an error number (`errno`).
  case cannotCreate(path: String, code: Int32)
  /// The file exists and must not be replaced.
  case exists(path: String)
  /// The name is a symbolic link to a file that does not exist.
  case danglingLink(path: String)
  /// The name is that of a device or a pipe, not of a regular file.
  case notRegularFile(path: String)
  /// Writing failed; the code is an error number (`errno`).
  case cannotWrite(path: String, code: Int32)
  /// The encoder failed, or cannot encode the sound.
  case cannotEncode(path: String, reason: String)
  /// The container does not support packets of the codec.
  ///
  /// The last value lists the containers that support the codec.
  case otherPackets(path: String, SoundCodec, [SoundFileFormat.Container])
  /// The file cannot be joined to the first file, because their sounds differ.
  case otherSound(path: String, first: String, SoundDifference)
  /// The sound is longer than the container supports.
  case tooLarge(path: String)
  /// The file cannot be read; the code is an error number (`errno`).
  case cannotOpen(path: String, code: Int32)
  /// A pipe has more bytes than `limit`, the maximum that is copied to the disk.
  case tooMuch(path: String, limit: Int)
  /// The file is truncated, but a complete file is required.
  case cutOff(path: String, SoundShortfall)
  /// The file is a MIDI file.
  case midiFile(path: String)
  /// The file is not a sound file, or is damaged.
  case notSoundFile(path: String, reason: String)
}

extension SoundFileError: CustomStringConvertible {
  /// The message for the user.
  ///
  /// For a missing file, the folder is read to suggest a similar name.
  public var description: String {
    switch self {
    case .libraryMissing:
      "libsndfile: not installed (\(SystemPackage.sndfile.installation()))"
    case .codecsMissing(let path, nil):
      "\(path): needs FFmpeg, which is not installed (\(SystemPackage.ffmpeg.installation()))"
    case .codecsMissing(let path, let found?):
      "\(path): needs FFmpeg \(FFmpegLibrary.releases), but \(found) is installed"
        + " (\(SystemPackage.ffmpeg.installation()))"
    case .unknownSuffix(let path):
      "\(path): unknown file name extension (end the name in "
        + Self.list(SoundFileFormat.Container.allCases.map { ".\($0.suffixes[0])" }) + ")"
    case .impossibleEncoding(let encoding, let container):
      ".\(container.rawValue): does not support the encoding \(encoding.rawValue) (use "
        + Self.list(container.encodings.map(\.rawValue)) + ")"
    case .impossibleShape(let path, let channelCount, let hertz):
      "\(path): this file format does not support \(channelCount) channels at \(hertz) Hz"
        + " (end the name in .wav or .caf)"
    case .impossibleByteOrder(let path):
      "\(path): the byte order of this format cannot be chosen"
        + " (use .caf, .aiff or .au with 16 bits or more)"
    case .converterMissing:
      "libsoxr: not installed (\(SystemPackage.soxr.installation()))"
    case .meterMissing:
      "libebur128: not installed (\(SystemPackage.ebur128.installation()))"
    case .impossibleRateChange(let source, let target):
      "cannot convert from \(source) to \(target) Hz: both must be 1000…1000000 Hz"
    case .cannotCreate(let path, let code):
      "\(path): cannot be created: \(Self.reason(code))"
    case .exists(let path):
      "\(path): already exists (use --overwrite to replace it)"
    case .danglingLink(let path):
      "\(path): broken symbolic link (remove it, or name the file itself)"
    case .notRegularFile(let path):
      "\(path): not a regular file (name a new file)"
    case .cannotWrite(let path, let code):
      "\(path): cannot be written: \(Self.reason(code)); nothing was saved"
    case .cannotEncode(let path, let reason):
      "\(path): cannot be encoded: \(reason); nothing was saved"
    case .otherPackets(let path, let codec, let containers):
      "\(path): this file format does not support \(codec) packets"
        + (containers.isEmpty
          ? "" : " (end the name in \(Self.list(containers.map { ".\($0.suffixes[0])" })))")
    case .otherSound(let path, let first, let difference):
      "\(path): cannot be joined: \(difference.words(besides: first))"
        + " (\(difference.remedy))"
    case .tooLarge(let path):
      "\(path): this file format cannot store more than 4 GB (end the name in .caf or .flac)"
    case .cannotOpen(let path, ENOENT), .cannotOpen(let path, ENOTDIR):
      "\(path): no such file\(SimilarFile.question(for: path))"
    case .cannotOpen(let path, let code):
      "\(path): cannot be opened: \(Self.reason(code))"
    case .tooMuch(let path, let limit):
      "\(path): more than \(limit >> 20) MB from a pipe (write it to a file first)"
    case .cutOff(let path, let shortfall):
      "\(path): \(shortfall)"
    case .midiFile(let path):
      "\(path): is a MIDI file, not a sound file (try downbeat play, render or info)"
    case .notSoundFile(let path, let reason):
      "\(path): not a readable sound file: \(reason)"
    }
  }

  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }
}
