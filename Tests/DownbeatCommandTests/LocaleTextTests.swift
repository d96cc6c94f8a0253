// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandKit

@Suite struct LocaleTextTests {
  @Test(arguments: [
    ("−16 LUFS…", "-16 LUFS..."), ("≈ 1 – 2 × 3", "~ 1 - 2 x 3"), ("B♭ → F♯", "Bb -> F#"),
    ("“ja” ’n’", "\"ja\" 'n'"), ("5 µs, 30°, ≤ 4 ≥ 2", "5 us, 30 deg, <= 4 >= 2"),
    ("↑ ↓ ←", "^ v <-"), ("Shift ← →", "Shift Left Right"), ("←→ seek", "Left/Right seek"),
    ("↓ ↑", "Down Up"), ("Grüße 日本", "Gr??e ??"), ("e\u{301}", "e"), ("", ""), ("plain", "plain"),
    ("\u{1B}[K180×\n", "\u{1B}[K180x\n"),
  ])
  func `text in ASCII`(text: String, shown: String) {
    #expect(LocaleText.ascii(text, keeping: []) == shown)
  }

  @Test(arguments: [
    ("a – b.mid: 0:03 – ende ö", "a – b.mid: 0:03 - ende ?"), ("'ü': no", "'ü': no"),
    ("xü", "x?"), ("(ü)", "(ü)"), ("ü", "ü"), ("ü.wav", "?.wav"),
    ("/home/jörg/a.mid: ö", "/home/jörg/a.mid: ?"),
  ])
  func `names and letters in paths stay`(text: String, shown: String) {
    #expect(LocaleText.ascii(text, keeping: ["a – b.mid", "ü"]) == shown)
  }
}
