// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

/// A type of sound file in Apple's and in this package's terms.
package struct SoundFileKind: Hashable, Sendable {
  /// The id of the type.
  package let type: AudioFileTypeID
  /// Its name.
  package let name: String
  /// The container with which it is written; nil if it is only read.
  package let container: SoundFileFormat.Container?
  /// File name extensions, the usual one first.
  package let extensions: [String]
  /// Media types, the usual one first.
  package let mimeTypes: [String]
  /// Uniform type identifiers.
  package let typeIdentifiers: [String]
  /// The ids of the formats that it can be written with.
  package let formatIDs: [AudioFormatID]

  /// The kind of an id; nil if the id is unknown.
  package static func of(_ type: AudioFileTypeID) -> SoundFileKind? {
    all.first { $0.type == type }
  }

  /// The kinds of a file name extension, in any case and without a dot.
  package static func of(extension name: String) -> [SoundFileKind] {
    all.filter { $0.extensions.contains(name.lowercased()) }
  }

  /// The kind of a file of this package; nil if Apple's names do not include it.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - isCompressed: true for AIFF-C in place of AIFF.
  /// - Returns: the kind.
  package static func of(_ format: SoundFileFormat, isCompressed: Bool = false) -> SoundFileKind? {
    switch format.container {
    case .aiff:
      of(isCompressed || !isPlainAIFF(format) ? kAudioFileAIFCType : kAudioFileAIFFType)
    case .wav: of(kAudioFileWAVEType)
    case .rf64: of(kAudioFileRF64Type)
    case .w64: of(kAudioFileWave64Type)
    case .caf: of(kAudioFileCAFType)
    case .au: of(kAudioFileNextType)
    case .flac: of(kAudioFileFLACType)
    case .mp3: of(kAudioFileMP3Type)
    case .m4a: of(kAudioFileM4AType)
    case .aac: of(kAudioFileAAC_ADTSType)
    case .ogg, .opus, .wv: nil
    }
  }

  private static func isPlainAIFF(_ format: SoundFileFormat) -> Bool {
    format.encoding.integerBits != nil
  }

  private init(
    _ type: AudioFileTypeID, _ name: String, _ container: SoundFileFormat.Container?,
    _ extensions: [String], _ mimeTypes: [String], _ typeIdentifiers: [String],
    _ formatIDs: [AudioFormatID]
  ) {
    (self.type, self.name, self.container) = (type, name, container)
    (self.extensions, self.mimeTypes) = (extensions, mimeTypes)
    (self.typeIdentifiers, self.formatIDs) = (typeIdentifiers, formatIDs)
  }

  private static let samples = [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]
  private static let wave = ["audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/wave"]
  private static let mpeg4 = [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless]

  /// All kinds that are read, in the order of Apple's header.
  package static let all: [SoundFileKind] = [
    SoundFileKind(
      kAudioFileAIFFType, "AIFF", .aiff, ["aiff", "aif"], ["audio/aiff", "audio/x-aiff"],
      ["public.aiff-audio"], [kAudioFormatLinearPCM]),
    SoundFileKind(
      kAudioFileAIFCType, "AIFC", .aiff, ["aifc", "aiff", "aif"],
      ["audio/aiff", "audio/x-aiff"], ["public.aifc-audio"], samples),
    SoundFileKind(
      kAudioFileWAVEType, "WAVE", .wav, ["wav", "wave", "bwf"], wave,
      ["com.microsoft.waveform-audio"],
      samples),
    SoundFileKind(
      kAudioFileRF64Type, "RF64", .rf64, ["rf64", "wav"], wave, ["com.microsoft.waveform-audio"],
      samples),
    SoundFileKind(
      kAudioFileBW64Type, "BW64", .rf64, ["bw64", "wav"], wave, ["com.microsoft.waveform-audio"],
      samples),
    SoundFileKind(
      kAudioFileWave64Type, "Wave64", .w64, ["w64"], ["audio/x-w64"], [], samples),
    SoundFileKind(
      kAudioFileNextType, "NeXT/Sun", .au, ["au", "snd"], ["audio/basic", "audio/au"],
      ["public.au-audio"], samples),
    SoundFileKind(
      kAudioFileMP3Type, "MPEG Layer 3", .mp3, ["mp3", "mpga"],
      ["audio/mpeg", "audio/mpeg3", "audio/mpg", "audio/mp3", "audio/x-mpeg", "audio/x-mp3"],
      ["public.mp3"], [kAudioFormatMPEGLayer3]),
    SoundFileKind(
      kAudioFileMP2Type, "MPEG Layer 2", nil, ["mp2", "mpa"], ["audio/mpeg", "audio/x-mpeg"],
      ["public.mp2"], []),
    SoundFileKind(
      kAudioFileMP1Type, "MPEG Layer 1", nil, ["mp1", "mpa"], ["audio/mpeg", "audio/x-mpeg"],
      ["public.mp1"], []),
    SoundFileKind(
      kAudioFileAC3Type, "AC3", nil, ["ac3", "eac3", "ec3"], ["audio/ac3", "audio/eac3"],
      ["public.ac3-audio", "public.enhanced-ac3-audio"], []),
    SoundFileKind(
      kAudioFileAAC_ADTSType, "AAC ADTS", .aac, ["aac", "adts"],
      ["audio/aac", "audio/aacp", "audio/x-aac"], ["public.aac-audio"], [kAudioFormatMPEG4AAC]),
    SoundFileKind(
      kAudioFileMPEG4Type, "MPEG-4 Audio", .m4a, ["mp4", "mpg4"], ["audio/mp4", "video/mp4"],
      ["public.mpeg-4-audio", "public.mpeg-4"], mpeg4),
    SoundFileKind(
      kAudioFileM4AType, "Apple MPEG-4 Audio", .m4a, ["m4a", "m4r"],
      ["audio/x-m4a", "audio/m4a", "audio/mp4"], ["com.apple.m4a-audio"], mpeg4),
    SoundFileKind(
      kAudioFileM4BType, "Apple MPEG-4 Audiobook", .m4a, ["m4b"], ["audio/x-m4b", "audio/m4b"],
      ["com.apple.m4b-audio"], mpeg4),
    SoundFileKind(
      kAudioFileCAFType, "Apple CAF", .caf, ["caf"], ["audio/x-caf"],
      ["com.apple.coreaudio-format"], samples + mpeg4 + [kAudioFormatAppleIMA4]),
    SoundFileKind(
      kAudioFile3GPType, "3GP Audio", nil, ["3gp", "3gpp"], ["audio/3gpp", "video/3gpp"],
      ["public.3gpp"], []),
    SoundFileKind(
      kAudioFile3GP2Type, "3GP-2 Audio", nil, ["3g2", "3gp2"], ["audio/3gpp2", "video/3gpp2"],
      ["public.3gpp2"], []),
    SoundFileKind(
      kAudioFileAMRType, "AMR", nil, ["amr"], ["audio/amr"], ["org.3gpp.adaptive-multi-rate-audio"],
      []),
    SoundFileKind(
      kAudioFileFLACType, "FLAC", .flac, ["flac"], ["audio/flac", "audio/x-flac"],
      ["org.xiph.flac"], [kAudioFormatFLAC]),
    SoundFileKind(
      kAudioFileLATMInLOASType, "LATM/LOAS", nil, ["loas", "latm", "xhe"], ["audio/usac"], [], []),
  ]
}
