// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The owner of FFmpeg's reader of a container, of which one stream of sound is read.
@safe
struct DemuxerHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let sound: UnsafeMutablePointer<AVStream>
  /// Freed after the context, which reads through it.
  private let channel: ByteChannel

  /// The containers that may be opened: none that names other files.
  private static let containers = """
    aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,dtshd,eac3,flac,flv,loas,m4a,matroska,mov,mp3,mp4,\
    mpc,mpc8,mpeg,mpegts,oma,ogg,rm,tak,truehd,tta,voc,w64,wav,webm,wv,xwma
    """

  /// Opens a container and finds the stream of sound that is played by default.
  ///
  /// - Throws: `SoundFileError.notSoundFile` where FFmpeg knows none, or finds no sound in it.
  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, path: String
  ) throws(SoundFileError) {
    _ = stream.seek(0, 0)
    guard let channel = unsafe ByteChannel(stream, library, writes: false),
      let context = unsafe library.pointee.avformat_alloc_context()
    else { throw .notSoundFile(path: path, reason: "not enough memory") }
    unsafe context.pointee.pb = channel.context
    unsafe context.pointee.flags |= Int32(AVFMT_FLAG_CUSTOM_IO)
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    var options = unsafe Self.options(library)
    // On failure the context is freed there.
    var code = unsafe library.pointee.avformat_open_input(&opened, nil, nil, &options)
    unsafe library.pointee.av_dict_free(&options)
    guard code >= 0, let opened = unsafe opened else {
      throw .notSoundFile(path: path, reason: FFmpegLibrary.reason(code))
    }
    code = unsafe library.pointee.avformat_find_stream_info(opened, nil)
    let index = unsafe library.pointee.av_find_best_stream(
      opened, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard code >= 0, index >= 0, let sound = unsafe opened.pointee.streams[Int(index)] else {
      var failed: UnsafeMutablePointer<AVFormatContext>? = unsafe opened
      unsafe library.pointee.avformat_close_input(&failed)
      throw .notSoundFile(path: path, reason: "there is no sound in it")
    }
    unsafe self.library = library
    unsafe self.context = opened
    unsafe self.sound = sound
    self.channel = channel
    discardOthers()
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe library.pointee.avformat_close_input(&context)
  }

  private static func options(_ library: UnsafePointer<CFFmpegTable>) -> OpaquePointer? {
    var options: OpaquePointer?
    unsafe _ = library.pointee.av_dict_set(&options, "format_whitelist", containers, 0)
    // No protocol has this name: a container that points elsewhere leads nowhere.
    unsafe _ = library.pointee.av_dict_set(&options, "protocol_whitelist", "none", 0)
    return unsafe options
  }

  private func discardOthers() {
    let count = unsafe Int(context.pointee.nb_streams)
    for index in 0..<count {
      guard let stream = unsafe context.pointee.streams[index], unsafe stream != sound else {
        continue
      }
      unsafe stream.pointee.discard = Int32(AVDISCARD_ALL)
    }
  }

  /// What a decoder is to know.
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe sound.pointee.codecpar }

  /// Takes the next packet of the sound; false at the end.
  func read(_ packet: borrowing PacketHandle) -> Bool {
    while unsafe library.pointee.av_read_frame(context, packet.packet) >= 0 {
      if unsafe packet.packet.pointee.stream_index == sound.pointee.index { return true }
      packet.clear()
    }
    return false
  }

  /// Frames of a rate in the sound, as the container says it, and whether it says so to the frame;
  /// nil where it does not.
  func frameCount(hertz: Int) -> (value: Int, isExact: Bool)? {
    let base = unsafe sound.pointee.time_base
    var (time, unit) = unsafe (sound.pointee.duration, base)
    if time == Int64.min || time <= 0 {
      time = unsafe context.pointee.duration
      unit = AVRational(num: 1, den: 1_000_000)
    }
    guard time > 0, time < 1 << 56, unit.num > 0, unit.den > 0 else { return nil }
    let doubled =
      Int128(time) * Int128(unit.num) * Int128(hertz) * 2 + Int128(unit.den)
    let frames = Int(clamping: doubled / (2 * Int128(unit.den)))
    return (frames, unit.num == 1 && Int(unit.den) == hertz)
  }

  /// The container's texts, then those of the sound.
  var texts: [String: String] {
    var texts = unsafe texts(context.pointee.metadata)
    texts.merge(unsafe self.texts(sound.pointee.metadata)) { first, _ in first }
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

  /// The chapters: where each begins in frames of a rate, and its title.
  func chapters(hertz: Int) -> [(frame: Int64, title: String)] {
    let count = unsafe Int(context.pointee.nb_chapters)
    return (0..<count).compactMap { index in
      guard let chapter = unsafe context.pointee.chapters[index] else { return nil }
      let unit = unsafe chapter.pointee.time_base
      guard unit.den > 0 else { return nil }
      let time = unsafe Int128(chapter.pointee.start) * Int128(unit.num) * Int128(hertz)
      return unsafe (
        Int64(clamping: time / Int128(unit.den)), texts(chapter.pointee.metadata)["title"] ?? ""
      )
    }
  }

  /// FFmpeg's name of the codec.
  var codecName: String {
    let name = unsafe library.pointee.avcodec_get_name(parameters.pointee.codec_id)
    return unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
  }
}
