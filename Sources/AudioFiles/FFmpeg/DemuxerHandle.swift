// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Owns FFmpeg's reader of a container, and reads one audio stream of it.
@safe
struct DemuxerHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: OpaquePointer
  private let sound: OpaquePointer
  /// The index of the stream.
  private let index: Int
  /// Freed after the context, which reads through it.
  private let channel: ByteChannel

  /// The supported containers, none of which refers to other files.
  private static let containers = """
    aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dsf,dts,dtshd,eac3,flac,flv,gsm,ilbc,loas,m4a,\
    matroska,mov,mp3,mp4,mpc,mpc8,mpeg,mpegts,oma,ogg,rm,tak,truehd,tta,voc,w64,wav,webm,wv,xwma
    """

  /// Opens a container and selects the default audio stream.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if FFmpeg does not know the format, or finds no audio.
  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, path: String
  ) throws(SoundFileError) {
    _ = stream.seek(0, 0)
    guard let channel = unsafe ByteChannel(stream, library, writes: false),
      let context = unsafe library.pointee.avformat_alloc_context()
    else { throw .notSoundFile(path: path, reason: "not enough memory") }
    unsafe channel.attach(to: context)
    var opened: OpaquePointer? = unsafe context
    var options = unsafe Self.options(library)
    // On failure the function frees the context.
    var code = unsafe library.pointee.avformat_open_input(&opened, nil, nil, &options)
    unsafe library.pointee.av_dict_free(&options)
    guard code >= 0, let opened = unsafe opened else {
      throw .notSoundFile(path: path, reason: FFmpegLibrary.reason(code))
    }
    code = unsafe library.pointee.avformat_find_stream_info(opened, nil)
    let index = unsafe Int(
      library.pointee.av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0))
    guard code >= 0, index >= 0, let sound = unsafe Self.stream(index, of: opened) else {
      var failed: OpaquePointer? = unsafe opened
      unsafe library.pointee.avformat_close_input(&failed)
      throw .notSoundFile(path: path, reason: "it does not contain sound")
    }
    unsafe self.library = library
    unsafe self.context = opened
    unsafe self.sound = sound
    self.index = index
    self.channel = channel
    discardOthers()
  }

  deinit {
    var context: OpaquePointer? = unsafe context
    unsafe library.pointee.avformat_close_input(&context)
  }

  private static func options(_ library: UnsafePointer<CFFmpegTable>) -> OpaquePointer? {
    var options: OpaquePointer?
    unsafe _ = library.pointee.av_dict_set(&options, "format_whitelist", containers, 0)
    // A protocol with this name does not exist, so a container cannot open other files.
    unsafe _ = library.pointee.av_dict_set(&options, "protocol_whitelist", "none", 0)
    return unsafe options
  }

  private func discardOthers() {
    let count = unsafe Int(cffmpeg_AVFormatContext_nb_streams(context))
    for other in 0..<count where other != index {
      guard let stream = unsafe Self.stream(other, of: context) else { continue }
      unsafe cffmpeg_set_AVStream_discard(stream, AVDISCARD_ALL)
    }
  }

  private static func stream(_ index: Int, of context: OpaquePointer) -> OpaquePointer? {
    unsafe cffmpeg_AVFormatContext_streams(context)?[index]
  }

  /// The parameters for a decoder.
  var parameters: OpaquePointer {
    guard let parameters = unsafe cffmpeg_AVStream_codecpar(sound) else {
      preconditionFailure("internal error: FFmpeg created a stream without parameters")
    }
    return unsafe parameters
  }

  /// Reads the next packet of the stream; returns false at the end.
  func read(_ packet: borrowing PacketHandle) -> Bool {
    while unsafe library.pointee.av_read_frame(context, packet.packet) >= 0 {
      if packet.streamIndex == index { return true }
      packet.clear()
    }
    return false
  }

  /// The length that the container states, in frames of a rate, and true if it is exact; nil if it
  /// is not stated.
  func frameCount(hertz: Int) -> (value: Int, isExact: Bool)? {
    var time = unsafe cffmpeg_AVStream_duration(sound)
    var unit = unsafe cffmpeg_AVStream_time_base(sound)
    if time == Int64.min || time <= 0 {
      time = unsafe cffmpeg_AVFormatContext_duration(context)
      unit = AVRational(num: 1, den: 1_000_000)
    }
    guard time > 0, time < 1 << 56, unit.num > 0, unit.den > 0 else { return nil }
    let doubled =
      Int128(time) * Int128(unit.num) * Int128(hertz) * 2 + Int128(unit.den)
    let frames = Int(clamping: doubled / (2 * Int128(unit.den)))
    return (frames, unit.num == 1 && Int(unit.den) == hertz)
  }

  /// The texts of the container, followed by those of the stream.
  var texts: [String: String] {
    var texts = unsafe texts(cffmpeg_AVFormatContext_metadata(context))
    texts.merge(unsafe self.texts(cffmpeg_AVStream_metadata(sound))) { first, _ in first }
    return texts
  }

  private func texts(_ dictionary: OpaquePointer?) -> [String: String] {
    var texts: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while true {
      unsafe entry = library.pointee.av_dict_get(
        dictionary, "", entry, Int32(AV_DICT_IGNORE_SUFFIX))
      guard let found = unsafe entry, let key = unsafe found.pointee.key,
        let value = unsafe found.pointee.value
      else { return texts }
      texts[unsafe String(cString: key).lowercased()] = unsafe String(cString: value)
    }
  }

  /// The chapters: the first frame of each, at a rate, and its title.
  func chapters(hertz: Int) -> [(frame: Int64, title: String)] {
    let count = unsafe Int(cffmpeg_AVFormatContext_nb_chapters(context))
    return (0..<count).compactMap { index in
      guard let chapter = unsafe cffmpeg_AVFormatContext_chapters(context)?[index] else {
        return nil
      }
      let unit = unsafe cffmpeg_AVChapter_time_base(chapter)
      guard unit.den > 0 else { return nil }
      let time = unsafe Int128(cffmpeg_AVChapter_start(chapter)) * Int128(unit.num) * Int128(hertz)
      let title = unsafe texts(cffmpeg_AVChapter_metadata(chapter))["title"] ?? ""
      return (Int64(clamping: time / Int128(unit.den)), title)
    }
  }

  /// FFmpeg's name of the codec.
  var codecName: String {
    let id = unsafe cffmpeg_AVCodecParameters_codec_id(parameters)
    let name = unsafe library.pointee.avcodec_get_name(id)
    return unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
  }
}
