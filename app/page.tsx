export default function HomePage() {
  return <h1>Misstep</h1>;
}
