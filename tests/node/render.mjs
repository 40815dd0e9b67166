// Pages on standard input, [{flavour, text}, …] → what hosts make of them, [{html}, …] on standard output.
// Each flavour goes through a program that such hosts are built on: commonmark markdown-it, gfm remark, mdx @mdx-js/mdx.
import { compile } from '@mdx-js/mdx'
import MarkdownIt from 'markdown-it'
import { full as emoji } from 'markdown-it-emoji'
import rehypeRaw from 'rehype-raw'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const withoutFrontMatter = (text) => text.replace(/^---\n[^]*?\n---\n/, '')

const hosts = {
  async commonmark(text) {
    return new MarkdownIt({ html: true, linkify: true }).use(emoji).render(withoutFrontMatter(text))
  },
  async gfm(text) {
    const page = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm)
    return String(
      await page.use(remarkRehype, { allowDangerousHtml: true }).use(rehypeRaw).use(rehypeStringify).process(text)
    )
  },
  async mdx(text) {
    let tree
    const keep = () => (root) => void (tree = root)
    await compile(text, {
      remarkPlugins: [remarkFrontmatter, remarkGfm],
      rehypePlugins: [rehypeSlug, keep]
    })
    return unified().use(rehypeStringify).stringify(elements(tree))
  }
}

// JSX as the elements that it makes. An expression is code: only comments are expected, and anything else shows.
function elements(node) {
  if (/^mdxJsx/.test(node.type)) {
    const properties = Object.fromEntries(node.attributes.map((a) => [a.name, a.value]))
    return { type: 'element', tagName: node.name ?? 'fragment', properties, children: node.children.map(elements) }
  }
  if (/^mdx/.test(node.type)) {
    const comment = /^\s*\/\*[^]*\*\/\s*$/.test(node.value)
    return { type: 'text', value: comment ? '' : `EXPRESSION(${node.value})` }
  }
  return node.children ? { ...node, children: node.children.map(elements) } : node
}

let input = ''
for await (const chunk of process.stdin) input += chunk
const pages = []
for (const { flavour, text } of JSON.parse(input)) pages.push({ html: await hosts[flavour](text) })
process.stdout.write(JSON.stringify(pages))
