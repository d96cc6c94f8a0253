// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import SoundStreaming

/// The conversion of several sound files.
struct SoundConvertBatch {
  let options: SoundConvert
  let files: FileBatch

  /// Converts all files and returns the common exit status.
  func run(_ tally: Tally) throws -> ExitStatus {
    try files.run(tally) { index, _ in try convert(index) }
  }

  /// Converts one file; nil after a signal.
  private func convert(_ index: Int) throws -> FileBatch.Done? {
    let (path, output) = (files.entries[index].path, files.outputs.path(at: index))
    let format = try options.file.format(for: output)
    try options.codec.check(format)
    try options.file.check(output)
    try files.refuseItself(index)
    let isPipe = output == "-"
    let end = try options.to.map(StreamTime.init(typed:))
    let isEnded = { files.signals.signal != nil }
    guard let (source, owner) = try AddressSource(path).open(to: end, unless: isEnded) else {
      return nil
    }
    defer { withExtendedLifetime(owner) {} }
    // Before this point, a signal ends the process at once. Standard output needs no clean-up.
    if !isPipe { files.signals.holdForCleanUp() }
    var bar = ProgressBar(label: path)
    defer { bar.clear() }
    let done = try conversion(to: format, of: source).run(
      from: source, to: isPipe ? "standard output" : output,
      descriptor: isPipe ? Console.current.outputDescriptor : nil
    ) { progress in
      bar.show(progress)
      return files.signals.signal == nil
    }
    bar.clear()
    guard let done else { return nil }
    if JSONReport.isOn { try tell(done, format, of: source.path, output) }
    report(done, format, of: source.path, output)
    return FileBatch.Done(
      status: done.shortfall == nil ? .success : .partial,
      seconds: Double(done.frameCount) / Double(done.rate.hertz))
  }

  private func conversion(
    to format: SoundFileFormat, of source: SoundFileReader
  ) throws -> SoundFileConversion {
    var conversion = SoundFileConversion(to: format)
    conversion.frames = try SoundPart(options.from, options.to).frames(of: source)
    conversion.rate = options.rate?.rate
    conversion.channelCount = options.channels
    conversion.dither = options.file.dither
    conversion.mayReplace = options.file.overwrite
    conversion.isStrict = options.strict
    conversion.gain = Double(options.gain.factor)
    conversion.byteOrder = options.byteOrder
    conversion.codecBitrate = options.codec.bitrate?.bits
    conversion.codecQuality = options.codec.share
    return conversion
  }

  /// Reports clipped samples, lost data, and an incomplete source.
  private func report(
    _ done: SoundFileConversion.Report, _ format: SoundFileFormat, of name: String,
    _ output: String
  ) {
    guard !options.quiet else { return }
    let count = done.clampedSampleCount
    if count > 0 {
      Terminal.report("\(output): \(count) samples were clipped (try --gain -3dB)")
    }
    if let line = LossReport.line(done.losses, format, output) { Terminal.report(line) }
    if let shortfall = done.shortfall { Terminal.report("\(name): \(shortfall)") }
  }

  /// Reports a file as JSON.
  private func tell(
    _ done: SoundFileConversion.Report, _ format: SoundFileFormat, of name: String,
    _ output: String
  ) throws {
    var written = try WrittenFile.sound(output, from: name, kind: format.container)
    written.add("clippedSamples", .integer(done.clampedSampleCount))
    written.add("lost", .array(done.losses.map { .text("\($0)") }))
    written.add("shortfall", JSONReport.text(done.shortfall.map { "\($0)" }))
    written.tell(done.shortfall == nil ? .success : .partial)
  }
}
