// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

/// Files of this module, read by a parser in Python that does not share code with it.
@Suite struct SoundFontWitnessTests {
  private static let python = "/usr/bin/python3"

  /// Prints each font as `DocumentListing` does, or a sentence for each violation of the standard.
  private static let script = """
    import struct, sys

    def chunks(data, place, end):
      found = []
      while place < end:
        name, size = data[place:place + 4], struct.unpack_from("<I", data, place + 4)[0]
        assert place + 8 + size + size % 2 <= end, "a chunk runs past its list"
        if size % 2: assert data[place + 8 + size] == 0, "padding"
        found.append((name, place + 8, size))
        place += 8 + size + size % 2
      assert place == end, "a list ends within a chunk"
      return found

    def table(data, lists, name, form):
      place, size = lists[name]
      record = struct.calcsize(form)
      assert size % record == 0, "the size of a table"
      return [struct.unpack_from(form, data, place + record * i) for i in range(size // record)]

    def level(lines, data, lists, names, head, index, describe):
      headers = table(data, lists, names[0], head)
      bags = table(data, lists, names[1], "<HH")
      modulators = table(data, lists, names[2], "<HHhHH")
      generators = table(data, lists, names[3], "<HH")
      assert headers[0][index] == 0 and bags[0] == (0, 0), "the first zone"
      assert headers[-1][index] == len(bags) - 1, "the last zone"
      assert bags[-1] == (len(generators) - 1, len(modulators) - 1), "the last record"
      assert not any(modulators[-1]) and not any(generators[-1]), "the closing record"
      for header, following in zip(headers, headers[1:]):
        lines.append(describe(header))
        for bag in range(header[index], following[index]):
          lines.append("zone")
          (g, m), (ge, me) = bags[bag], bags[bag + 1]
          lines += ["generator %d %d" % record for record in generators[g:ge]]
          lines += ["modulator %d %d %d %d %d" % record for record in modulators[m:me]]

    def sample(data, lists, header):
      name, start, end, first, last, rate, key, correction, link, kind = header
      packed = kind & 0x10
      size, base = (1, 0) if packed else (2, start)
      place, count = lists[b"smpl"]
      assert size * end <= count, "a sample behind the data"
      loop = "%d %d" % (first - base, last - base) if end > start else "-"
      text = "sample %s %d %d %d %d %d %d %s " % (
        name.hex(), rate, key, correction, link, kind, end - start, loop)
      text += data[place + size * start:place + size * end].hex()
      if b"sm24" in lists and not packed:
        low = data[lists[b"sm24"][0] + start:lists[b"sm24"][0] + end]
        if any(low): text += " " + low.hex()
      return text

    def listing(data):
      lines = []
      assert data[:4] == b"RIFF" and data[8:12] == b"sfbk", "head"
      assert struct.unpack_from("<I", data, 4)[0] == len(data) - 8, "the size of the file"
      lists = {}
      order = []
      for name, place, size in chunks(data, 12, len(data)):
        kind = data[place:place + 4]
        assert name == b"LIST"
        order.append(kind)
        for name, at, length in chunks(data, place + 4, place + size):
          if kind == b"INFO":
            lines.append("info %s %s" % (name.decode(), data[at:at + length].hex()))
          else:
            assert name not in lists, "a chunk twice"
            lists[name] = (at, length)
      assert order == [b"INFO", b"sdta", b"pdta"], "lists"
      if b"sm24" in lists:
        frames = lists[b"smpl"][1] // 2
        assert lists[b"sm24"][1] == frames + frames % 2, "the size of sm24"
      level(lines, data, lists, [b"phdr", b"pbag", b"pmod", b"pgen"], "<20sHHHIII", 3,
        lambda h: "preset %s %d %d %d %d %d" % (h[0].hex(), h[2], h[1], h[4], h[5], h[6]))
      level(lines, data, lists, [b"inst", b"ibag", b"imod", b"igen"], "<20sH", 1,
        lambda h: "instrument " + h[0].hex())
      headers = table(data, lists, b"shdr", "<20sIIIIIBbHH")
      assert headers[-1][0].rstrip(bytes(1)) == b"EOS", "the closing sample"
      return lines + [sample(data, lists, header) for header in headers[:-1]]

    for number in range(int(sys.argv[2])):
      try:
        with open("%s/%d.sf2" % (sys.argv[1], number), "rb") as file: data = file.read()
        with open("%s/%d.txt" % (sys.argv[1], number)) as file: ours = file.read().splitlines()
        theirs = listing(data)
        for mine, other in zip(ours + ["-"] * len(theirs), theirs + ["-"] * len(ours)):
          if mine != other:
            print(number, "written:", mine[:200], "read:", other[:200])
            break
      except Exception as error:
        print(number, type(error).__name__, error)
    """

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "needs /usr/bin/python3"))
  func `Python reads random documents as they were created`() throws {
    let folder = try ScratchFolder()
    let count = 300
    for number in 0..<count {
      var document = RandomDocument(seed: 1000 + UInt64(number)).document
      // Merged and trimmed fonts are written from several sources.
      if number % 3 == 1 {
        document.append(RandomDocument(seed: 5000 + UInt64(number)).document, bankOffset: 200)
      }
      if number % 5 == 2 { document.removePresets { $0.program == 1 } }
      guard !document.presets.isEmpty else { continue }
      var bytes: [UInt8] = []
      try SoundFontWriter(document).write { bytes += $0 }
      let hasLowBytes = try SampleLayout(document).lowBytes != nil
      document.raiseVersion(hasLowBytes: hasLowBytes)
      _ = try folder.write("\(number).sf2", bytes)
      try folder.write(
        DocumentListing.lines(document).joined(separator: "\n"), to: "\(number).txt")
    }
    let run = try ToolRun(
      ["-c", Self.script, folder.path, "\(count)"], command: Self.python, limit: 120)
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)\(run.errors)")
  }
}
